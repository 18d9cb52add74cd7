package io.belay.trials.plant;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Asks nothing any more once requests have failed for two and a half leases, whatever becomes of the store. */
final class GivesUpStore extends PlantedStore {
    private static final double LEASES = 2.5;
    private static final long GIVEN_UP = -1;

    private final long limit;
    /** The time at which the first request failed since the last answer, 0 if none did. */
    private final AtomicLong failedSince = new AtomicLong();

    GivesUpStore(Store store, Duration lease) {
        super(store);
        limit = (long) (lease.toNanos() * LEASES);
    }

    @Override
    public CompletionStage<Answer> send(Request request) {
        return hasGivenUp() ? nothing() : watched(super.send(request));
    }

    @Override
    public List<CompletionStage<Answer>> renew(List<Request.Renew> renewals) {
        return hasGivenUp()
                ? renewals.stream().map(renewal -> nothing()).toList()
                : super.renew(renewals).stream().map(this::watched).toList();
    }

    private CompletionStage<Answer> watched(CompletionStage<Answer> answer) {
        return answer.whenComplete((heard, failure) -> {
            if (failure != null) {
                failedSince.compareAndSet(0, System.nanoTime());
            }
        });
    }

    private boolean hasGivenUp() {
        long since = failedSince.get();
        if (since > 0 && System.nanoTime() - since > limit) {
            failedSince.compareAndSet(since, GIVEN_UP);
        }
        return failedSince.get() == GIVEN_UP;
    }

    private static CompletionStage<Answer> nothing() {
        return CompletableFuture.failedFuture(StoreException.unreachable("given up, as was planted", null));
    }

    @Override
    Answer heard(Request request, Answer answer, long sentNanos) {
        if (!hasGivenUp()) {
            failedSince.set(0);
        }
        return answer;
    }
}
