package io.belay.internal.claim;

import io.belay.RequestKind;
import io.belay.SlowRequest;
import io.belay.Statistics;
import io.belay.internal.time.Time;
import io.belay.spi.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The counts and times of a client's requests to its store, by kind. Thread-safe. */
final class RequestTimes {
    /** After this part of the request timeout an answer is slow. */
    private static final int PART = 2;

    private static final class Sums {
        final LongAdder answered = new LongAdder();
        final LongAdder nanos = new LongAdder();
        final LongAdder failed = new LongAdder();
    }

    private final Time time;
    private final long slow;
    private final Consumer<SlowRequest> listener;
    /** In the order of the kinds. */
    private final List<Sums> sums;

    RequestTimes(Time time, long requestTimeout, Consumer<SlowRequest> listener) {
        this.time = time;
        slow = requestTimeout / PART;
        this.listener = listener;
        sums = Stream.generate(Sums::new).limit(RequestKind.values().length).toList();
    }

    static RequestKind kind(Request request) {
        if (request instanceof Request.Enter) {
            return RequestKind.TAKE;
        }
        if (request instanceof Request.Renew) {
            return RequestKind.KEEP;
        }
        return request instanceof Request.Leave
                        || request instanceof Request.Yield
                        || request instanceof Request.Evict
                        || request instanceof Request.Skip
                ? RequestKind.GIVE_BACK
                : RequestKind.CHANGE;
    }

    /**
     * Sends a request, and notes what becomes of it; what the store throws fails the stage.
     *
     * @param told whether it is told if it takes long
     */
    <T> CompletionStage<T> send(RequestKind kind, boolean told, Supplier<CompletionStage<T>> request) {
        long at = time.nanos();
        CompletionStage<T> answer;
        try {
            answer = request.get();
        } catch (Throwable e) { // a driver may not even find its classes
            answer = CompletableFuture.failedFuture(e);
        }
        note(kind, told, at, answer);
        return answer;
    }

    /** Notes what becomes of a request that is sent now. */
    void note(RequestKind kind, boolean told, long at, CompletionStage<?> answer) {
        answer.whenComplete((any, error) -> ended(kind, told, time.nanos() - at, error));
    }

    private void ended(RequestKind kind, boolean told, long took, @Nullable Throwable error) {
        Sums of = sums.get(kind.ordinal());
        if (error != null) {
            of.failed.increment();
            return;
        }
        of.answered.increment();
        of.nanos.add(took);
        if (told && took >= slow) {
            listener.accept(new SlowRequest(kind, Duration.ofNanos(took), Instant.ofEpochMilli(time.wallMillis())));
        }
    }

    Map<RequestKind, Statistics.Requests> sums() {
        Map<RequestKind, Statistics.Requests> all = new EnumMap<>(RequestKind.class);
        for (RequestKind kind : RequestKind.values()) {
            Sums of = sums.get(kind.ordinal());
            all.put(
                    kind,
                    new Statistics.Requests(of.answered.sum(), Duration.ofNanos(of.nanos.sum()), of.failed.sum()));
        }
        return all;
    }
}
