package io.belay.internal.claim;

import io.belay.LockStatistics;
import io.belay.RequestKind;
import io.belay.SlowRequest;
import io.belay.Statistics;
import io.belay.StoreHealth;
import io.belay.internal.jfr.Recorder;
import io.belay.internal.time.Time;
import io.belay.spi.Request;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client's requests show of its store: their counts and times by kind, the failures and the slow answers. These are
 * told now and then, as a store of several servers may answer and fail by turns. Thread-safe; of two failures at the same
 * instant both may be counted as the first.
 */
final class StoreSight {
    private static final Log LOG = Log.of(LogName.STORE);
    /** The parts of a text that differ from one request to the next: what is quoted, numbers, and ids. */
    private static final Pattern PARTICULARS = Pattern.compile("'[^']*'|[A-Za-z]*[0-9]\\w*");

    private static final class Sums {
        final LongAdder answered = new LongAdder();
        final LongAdder nanos = new LongAdder();
        final LongAdder failed = new LongAdder();
        /** The instant at which the last of them failed; null if the last one did not. */
        volatile @Nullable Long failedAt;
    }

    private final Time time;
    private final Events events;
    /** The store's name; empty where nobody has said. */
    private final String name;
    /** The nanoseconds after which an answer is slow: half of the request timeout. */
    private final long slow;

    private final Map<RequestKind, Sums> sums = new EnumMap<>(RequestKind.class);
    private final LongAdder outages = new LongAdder();
    private volatile @Nullable String failure;
    private volatile long since;
    private volatile @Nullable SlowRequest lastSlow;
    /** A failure that was told while its end was not; null if there is none. */
    private final AtomicReference<@Nullable String> told = new AtomicReference<>();

    StoreSight(Time time, Events events, String name, long requestTimeout) {
        this.time = time;
        this.events = events;
        this.name = name;
        slow = requestTimeout / 2;
        for (RequestKind kind : RequestKind.values()) {
            sums.put(kind, new Sums());
        }
    }

    static RequestKind kind(Request request) {
        if (request instanceof Request.Leave || request instanceof Request.Yield || request instanceof Request.Evict) {
            return RequestKind.GIVE_BACK;
        }
        boolean keeps = request instanceof Request.Renew;
        return request instanceof Request.Enter ? RequestKind.TAKE : keeps ? RequestKind.KEEP : RequestKind.CHANGE;
    }

    /**
     * Sends a request, and notes what becomes of it; what the store throws fails the stage.
     *
     * @param tells whether it is told if it takes long
     */
    <T> CompletionStage<T> send(RequestKind kind, boolean tells, Supplier<CompletionStage<T>> request) {
        long at = time.nanos();
        CompletionStage<T> answer;
        try {
            answer = Objects.requireNonNull(request.get(), "the store returned no stage");
        } catch (Throwable e) { // a driver may not even find its classes
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete((any, error) -> ended(kind, tells, time.nanos() - at, error));
        return answer;
    }

    /** Does the same with so many requests that belong together, each of which is answered for itself. */
    <T> List<? extends CompletionStage<T>> sendAll(
            RequestKind kind, boolean tells, int number, Supplier<List<? extends CompletionStage<T>>> requests) {
        long at = time.nanos();
        List<? extends CompletionStage<T>> answers;
        try {
            answers = List.copyOf(requests.get()); // which has no null
            if (answers.size() != number) {
                throw new IllegalStateException("the store returned " + answers.size() + " stages for " + number);
            }
        } catch (Throwable e) {
            answers = Collections.nCopies(number, CompletableFuture.<T>failedFuture(e));
        }
        answers.forEach(answer -> answer.whenComplete((any, error) -> ended(kind, tells, time.nanos() - at, error)));
        return answers;
    }

    private void ended(RequestKind kind, boolean tells, long took, @Nullable Throwable error) {
        Sums of = Objects.requireNonNull(sums.get(kind));
        if (error != null) {
            of.failed.increment();
            of.failedAt = time.nanos();
            return;
        }
        if (of.failedAt != null) { // to write it each time would cost more
            of.failedAt = null;
        }
        of.answered.increment();
        of.nanos.add(took);
        if (kind == RequestKind.LOOK) { // a client that has nothing to renew may do nothing but look
            answered();
        }
        if (tells && took >= slow) {
            tell(new Shown.LateAnswer(kind, Duration.ofNanos(took), Instant.ofEpochMilli(time.wallMillis())));
        }
    }

    private void tell(SlowRequest late) {
        lastSlow = late;
        String text = "The store took " + late.took().toMillis() + " ms to answer a request ("
                + late.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ")";
        if (events.warn(LOG, "slow", "", text)) {
            events.tell(to -> to.slowRequest(late));
        }
    }

    /** Notes that a request was not answered in time, unless another has failed since it was sent: why it did tells more. */
    void silent() {
        if (failure == null || sums.keySet().stream().noneMatch(this::fails)) {
            failed((name.isEmpty() ? "it" : name) + " has not answered a request within " + slow / 500_000 + " ms");
        }
    }

    /** Notes that a request failed. */
    void failed(String message) {
        if (failure == null) {
            since = time.nanos();
            outages.increment();
        }
        failure = message;
        // Another cause is told at once; the same with other times is not.
        String cause = PARTICULARS.matcher(message).replaceAll("0");
        if (events.warn(LOG, "store", cause, "The store fails: " + message) && told.get() == null) {
            Recorder.outage(message, 0);
            events.tell(to -> to.storeAway(message));
            told.set(message); // only now, as an answer that comes before is not to tell the end first
        }
    }

    /** Notes that a request was answered. */
    void answered() {
        boolean noted = failure != null || told.get() != null; // one may be told of while the next answer comes
        // One that is full answers all that needs no room.
        if (noted && !fails(RequestKind.TAKE) && !fails(RequestKind.GIVE_BACK)) {
            long lasted = lasted();
            failure = null;
            String last = told.getAndSet(null); // of several answers at once one tells
            if (last != null) {
                LOG.info("The store answers again{}", name.isEmpty() ? "" : ": " + name);
                Recorder.outage(last, lasted);
                events.tell(to -> to.storeBack(Duration.ofNanos(lasted)));
            }
        }
    }

    /** Returns whether the last request of a kind has failed, and just now. */
    private boolean fails(RequestKind kind) {
        Long at = Objects.requireNonNull(sums.get(kind)).failedAt;
        return at != null && time.nanos() - at < 2 * slow;
    }

    /** Returns the last failure; empty if the last request was answered. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** Returns for how long it has failed. The clock is read last: another thread may note the next failure meanwhile. */
    private long lasted() {
        long began = since;
        return time.nanos() - began;
    }

    StoreHealth health() {
        Optional<String> why = failure();
        Duration failing = Duration.ofNanos(why.isEmpty() ? 0 : lasted());
        return new Shown.Health(why.isEmpty(), failing, why, Optional.ofNullable(lastSlow));
    }

    Statistics statistics(Map<String, LockStatistics> locks, long lostPushes) {
        Map<RequestKind, Statistics.Requests> requests = new EnumMap<>(RequestKind.class);
        sums.forEach((kind, of) -> requests.put(
                kind, new Shown.Requests(of.answered.sum(), Duration.ofNanos(of.nanos.sum()), of.failed.sum())));
        return new Shown.Counts(
                Collections.unmodifiableMap(locks), Collections.unmodifiableMap(requests), outages.sum(), lostPushes);
    }
}
