package io.belay.internal.primitive;

import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.internal.gate.Gates;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Some permits of a semaphore whose number others may change: what is refused by the number that was known is asked for once
 * more by the number that there is.
 */
final class Permits extends Lock {
    private final Semaphore semaphore;
    private final int permits;

    /** The lock by the number of permits that was seen last. */
    private volatile Lock latest;

    Permits(Semaphore semaphore, Gates gates, int total, int permits, LockOptions options) {
        super(gates, semaphore.name, total, permits, options, false, null);
        this.semaphore = semaphore;
        this.permits = permits;
        latest = Lock.shared(gates, semaphore.name, total, permits, options);
    }

    /**
     * Returns the lock by the number of permits that is seen after a refusal, and throws that if the number is the same, too
     * small, or not for this semaphore to learn; where the number is not known it throws why.
     */
    private Lock anew(Lock refused, LockRefusedException refusal, Supplier<CompletionStage<Store.Snapshot>> look) {
        if (!semaphore.learns) {
            throw refusal;
        }
        checkSharing();
        int now = semaphore.learned(engine.await(look, "Inspecting the semaphore '" + name + "'"));
        if (now == refused.capacity() || now < permits) {
            throw refusal;
        }
        Lock next = Lock.shared(gates, name, now, permits, options);
        latest = next;
        return next;
    }

    /** Returns what is left of a wait; who asks for what is free waits for no more than the answer. */
    private long left(boolean ifFree, long wait, long begun) {
        return ifFree || wait == Long.MAX_VALUE ? wait : Math.max(0, wait - (engine.time.nanos() - begun));
    }

    /** Asks what the store shows; fails when a wait is over of which so much is left, but for the moment that any answer is given. */
    private CompletableFuture<Store.Snapshot> seen(long left) {
        var seen = engine.inspect(name).thenApply(Function.identity()).toCompletableFuture();
        engine.limit(
                seen,
                Math.min(engine.requestTimeout(), Math.max(left, engine.patience())),
                () -> seen.completeExceptionally(StoreException.unreachable("the store did not answer in time", null)));
        return seen;
    }

    @Override
    <E extends Exception> @Nullable Lease start(boolean ifFree, long wait, Waiting<E> waiting) throws E {
        Lock known = latest;
        long begun = engine.time.nanos();
        try {
            return known.start(ifFree, wait, waiting);
        } catch (LockRefusedException e) {
            Lock next = anew(known, e, () -> seen(left(ifFree, wait, begun)));
            return next.start(ifFree, left(ifFree, wait, begun), waiting);
        }
    }

    @Override
    <T> CompletableFuture<T> startAsync(boolean ifFree, long wait, Function<Optional<Lease>, T> result) {
        Lock known = latest;
        long begun = engine.time.nanos();
        // Not told of the first refusal: what it was refused is asked for again.
        return known.startAsync(ifFree, wait, result, new CompletableFuture<T>() {
            private volatile boolean refused;

            @Override
            public boolean completeExceptionally(Throwable failure) {
                boolean learns = semaphore.learns && !refused && !isDone();
                if (!learns || !(failure instanceof LockRefusedException refusal)) {
                    return super.completeExceptionally(failure);
                }
                refused = true;
                try {
                    CompletableFuture<Store.Snapshot> seen = seen(left(ifFree, wait, begun));
                    seen.handleAsync((any, error) -> askAgain(refusal, seen), engine.callbacks::run)
                            .exceptionally(super::completeExceptionally); // where that could not be run
                } catch (Throwable e) { // nobody else would tell the caller
                    super.completeExceptionally(e);
                }
                return true;
            }

            /** Asks for the same by what the store shows after the refusal, which is told if that is nothing new. Returns whether it is. */
            private boolean askAgain(LockRefusedException refusal, CompletableFuture<Store.Snapshot> seen) {
                try {
                    Lock next = anew(known, refusal, () -> seen);
                    return next.startAsync(ifFree, left(ifFree, wait, begun), result, this)
                            .isDone();
                } catch (Throwable e) { // as above
                    return completeExceptionally(e);
                }
            }
        });
    }
}
