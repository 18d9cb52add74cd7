package io.belay.internal.primitive;

import io.belay.ClaimRefusedException;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Some permits of a semaphore whose number others may change: what is refused by the number that was known is asked for once
 * more by the number that there is.
 */
final class Permits implements DistributedLock {
    private final Semaphore semaphore;
    private final int permits;
    private volatile Lock lock;

    Permits(Semaphore semaphore, Lock lock, int permits) {
        this.semaphore = semaphore;
        this.lock = lock;
        this.permits = permits;
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public String family() {
        return lock.family();
    }

    @Override
    public boolean isLocked() {
        return lock.isLocked();
    }

    /** Returns the lock by the number of permits that was seen, and throws the refusal if that is the same, or too small. */
    private Lock anew(Lock refused, ClaimRefusedException refusal, Store.Snapshot seen) {
        @Nullable Lock next = semaphore.anew(permits, refused.capacity(), seen);
        if (next == null) {
            throw refusal;
        }
        lock = next;
        return next;
    }

    @Override
    public Lease acquire() throws InterruptedException {
        Lock known = lock;
        try {
            return known.acquire();
        } catch (ClaimRefusedException e) {
            return anew(known, e, semaphore.inspect()).acquire();
        }
    }

    @Override
    public Optional<Lease> tryAcquire() {
        Lock known = lock;
        try {
            return known.tryAcquire();
        } catch (ClaimRefusedException e) {
            return anew(known, e, semaphore.inspect()).tryAcquire();
        }
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        Lock known = lock;
        long begun = semaphore.engine().time().nanos();
        try {
            return known.tryAcquire(wait);
        } catch (ClaimRefusedException e) {
            Lock next = anew(known, e, semaphore.inspect());
            return next.tryAcquire(left(wait, begun));
        }
    }

    private Duration left(Duration wait, long begun) {
        Duration left = wait.minusNanos(semaphore.engine().time().nanos() - begun);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return start(Lock::acquireAsync, Lease::releaseAsync);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return start(Lock::tryAcquireAsync, had -> had.ifPresent(Lease::releaseAsync));
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        var unused = Lock.nanos("wait", wait); // which throws where that is no wait
        long begun = semaphore.engine().time().nanos();
        return start(known -> known.tryAcquireAsync(left(wait, begun)), had -> had.ifPresent(Lease::releaseAsync));
    }

    private <T> CompletableFuture<T> start(Function<Lock, CompletableFuture<T>> acquisition, Consumer<T> giveBack) {
        Lock known = lock;
        CompletableFuture<T> told = new CompletableFuture<>();
        follow(
                told,
                acquisition.apply(known),
                giveBack,
                refusal -> semaphore
                        .engine()
                        .inspect(name())
                        .whenComplete((seen, error) -> semaphore
                                .engine()
                                .callbacks()
                                .run(() -> {
                                    try {
                                        if (error != null) {
                                            throw refusal;
                                        }
                                        Lock next = anew(known, refusal, seen);
                                        follow(told, acquisition.apply(next), giveBack, told::completeExceptionally);
                                    } catch (RuntimeException e) {
                                        told.completeExceptionally(e);
                                    }
                                })));
        return told;
    }

    /** Tells the outcome, or hands a refusal on; a lease that comes when the caller has cancelled is given back. */
    private static <T> void follow(
            CompletableFuture<T> told,
            CompletableFuture<T> asked,
            Consumer<T> giveBack,
            Consumer<ClaimRefusedException> refused) {
        asked.whenComplete((value, error) -> {
            @Nullable Throwable cause = error instanceof CompletionException ? error.getCause() : error;
            if (cause == null) {
                if (!told.complete(value)) {
                    giveBack.accept(value);
                }
            } else if (cause instanceof ClaimRefusedException refusal) {
                refused.accept(refusal);
            } else {
                told.completeExceptionally(cause);
            }
        });
        told.whenComplete((value, error) -> asked.cancel(false)); // nothing happens to one that is done
    }

    /** Returns whether both stand for as many permits of the same semaphore, by the same client. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Permits same && same.lock.equals(lock);
    }

    @Override
    public int hashCode() {
        return lock.hashCode();
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
