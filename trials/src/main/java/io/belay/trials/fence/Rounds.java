package io.belay.trials.fence;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Rounds in which the holder of a lock is stopped between a look at its lease, which says that it is held, and its write, until
 * its lease has ended and its successor is done. Where a guard keeps the successor waiting, it goes on after a while.
 */
final class Rounds {
    private static final LockOptions FIXED = LockOptions.defaults().withFixedLease(Duration.ofSeconds(30));
    private static final Duration SOON = Duration.ofMillis(10);
    private static final Duration STOP = Duration.ofSeconds(1);

    private final Counter counter;
    private final boolean guarded;
    private long acknowledged;
    private int refused;

    private Rounds(Counter counter, boolean guarded) {
        this.counter = counter;
        this.guarded = guarded;
    }

    /**
     * The outcome of some rounds.
     *
     * @param lost how many additions were acknowledged and are not in the number
     * @param refused how many were refused by the guard
     */
    record Outcome(long lost, int refused) {}

    /** Plays so many rounds on a counter of their own. */
    static Outcome play(Guard guard, Path directory, int rounds, boolean guarded) throws Exception {
        try (Counter counter = guard.open(directory);
                Belay one = Belay.connect("memory:fences");
                Belay other = Belay.connect("memory:fences")) {
            Rounds played = new Rounds(counter, guarded);
            for (int i = 0; i < rounds; i++) {
                played.round(one.lock("counter", FIXED), other.lock("counter"));
            }
            return new Outcome(played.acknowledged - counter.value(), played.refused);
        }
    }

    private void round(DistributedLock lock, DistributedLock successors) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        CompletableFuture<Boolean> old = CompletableFuture.supplyAsync(() -> {
            try (Lease lease = lock.acquire()) {
                return add(lease, () -> {
                    boolean held = lease.isHeld();
                    endSoon(lease);
                    stopped.complete(held);
                    boolean unused = over.await(STOP.toMillis(), TimeUnit.MILLISECONDS);
                });
            } catch (Exception e) {
                stopped.completeExceptionally(e);
                throw new IllegalStateException(e);
            }
        });
        try {
            if (!stopped.get()) {
                throw new IllegalStateException("the machine is too busy: a lease ended before its holder was stopped");
            }
            try (Lease lease = successors.acquire()) {
                count(add(lease, () -> {}));
            }
        } finally {
            over.countDown();
        }
        count(old.get());
    }

    /** Has a lease end while its holder is stopped, whose time need not be waited for. */
    private static void endSoon(Lease lease) {
        try {
            var unused = lease.extend(SOON);
        } catch (LeaseLostException e) {
            // It is over by now, as it is to be.
        }
    }

    private void count(boolean added) {
        acknowledged += added ? 1 : 0;
        refused += added ? 0 : 1;
    }

    private interface Stop {
        void here() throws InterruptedException;
    }

    /** Adds one, and stops between read and write; returns whether that was acknowledged, and not refused. */
    private boolean add(Lease lease, Stop stop) throws Exception {
        try {
            Counter.Addition addition = guarded ? counter.guarded(FencingToken.of(lease)) : counter.unguarded();
            stop.here();
            addition.write();
            return true;
        } catch (StaleTokenException e) {
            return false;
        }
    }
}
