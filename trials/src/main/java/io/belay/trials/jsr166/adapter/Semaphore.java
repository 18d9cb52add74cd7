package io.belay.trials.jsr166.adapter;

import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * {@link java.util.concurrent.Semaphore} on {@link DistributedSemaphore}. Belay's permits are leases, which somebody
 * has to have taken before they are given back; the JDK's are numbers, which may be raised at will, and lie below zero.
 * So this has some permits more than it was asked for, and takes them itself. Some of them are what is released without
 * having been acquired. The others are never released: a semaphore of fewer permits than none is one that has fewer than
 * are taken, to which it is resized.
 */
public class Semaphore {
    private static final int SPARE = 10;
    private static final int DEPTH = 50;

    private record Taken(Lease lease, int permits) {}

    private final OfEachClient<DistributedSemaphore> semaphore;
    private final boolean fair;
    private final Waiters waiters;
    private final List<Taken> taken = new ArrayList<>();

    public Semaphore(int permits) {
        this(permits, false);
    }

    public Semaphore(int permits, boolean fair) {
        String name = Adapters.freshName();
        int total = Math.max(0, permits) + SPARE + DEPTH;
        // The first client says how many there are; the others learn it, and follow when the number changes.
        semaphore = OfEachClient.make(client -> client == Adapters.clients().get(0)
                ? client.semaphore(name, total, Adapters.options(fair))
                : client.joinSemaphore(name, Adapters.options(fair)));
        this.fair = fair;
        waiters = new Waiters(name);
        for (int i = 0; i < SPARE; i++) {
            take(mine().tryAcquire(), 1);
        }
        if (mine().permits(DEPTH).tryAcquire().isEmpty()) {
            throw new IllegalStateException(mine() + " is not new");
        }
        if (permits < 0) {
            reducePermits(-permits);
        }
    }

    private DistributedSemaphore mine() {
        return semaphore.mine();
    }

    public void acquire() throws InterruptedException {
        acquire(1);
    }

    public void acquire(int permits) throws InterruptedException {
        take(Optional.of(waiters.during(mine().permits(permits)::acquire)), permits);
    }

    public void acquireUninterruptibly() {
        acquireUninterruptibly(1);
    }

    public void acquireUninterruptibly(int permits) {
        take(
                Optional.of(waiters.during(
                        () -> mine().permits(permits).acquireAsync().join())),
                permits);
    }

    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    public boolean tryAcquire(int permits) {
        return take(mine().permits(permits).tryAcquire(), permits);
    }

    public boolean tryAcquire(long wait, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, wait, unit);
    }

    public boolean tryAcquire(int permits, long wait, TimeUnit unit) throws InterruptedException {
        Duration time = Duration.ofNanos(Math.max(0, unit.toNanos(wait)));
        return take(waiters.during(() -> mine().permits(permits).tryAcquire(time)), permits);
    }

    public void release() {
        release(1);
    }

    public void release(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("cannot release " + permits);
        }
        for (Taken one : choose(permits)) {
            ReleaseOutcome outcome = one.lease().release();
            if (outcome != ReleaseOutcome.RELEASED) {
                throw new IllegalStateException(one.lease() + " was not released: " + outcome);
            }
        }
    }

    private synchronized boolean take(Optional<Lease> lease, int permits) {
        lease.ifPresent(one -> taken.add(new Taken(one, permits)));
        return lease.isPresent();
    }

    /** Takes leases of so many permits together off the list, the largest that fit first. */
    private synchronized List<Taken> choose(int permits) {
        List<Taken> chosen = new ArrayList<>();
        int left = permits;
        for (Taken one : taken.stream()
                .sorted(Comparator.comparingInt(Taken::permits).reversed())
                .toList()) {
            if (one.permits() <= left) {
                chosen.add(one);
                left -= one.permits();
            }
        }
        if (left > 0) {
            throw new UnsupportedOperationException("no leases of " + permits + " permits together");
        }
        taken.removeAll(chosen);
        return chosen;
    }

    public int availablePermits() {
        int free = mine().available();
        return free > 0 ? free : Math.min(0, mine().total() - waiters.held());
    }

    public int drainPermits() {
        int free = mine().available();
        while (free > 0 && !tryAcquire(free)) {
            free = mine().available();
        }
        return free;
    }

    protected void reducePermits(int reduction) {
        if (reduction < 0) {
            throw new IllegalArgumentException("cannot reduce by " + reduction);
        }
        mine().resize(mine().total() - reduction);
    }

    /** Returns what was asked for. Belay serves in order in any case, which one that is not fair may do. */
    public boolean isFair() {
        return fair;
    }

    public final boolean hasQueuedThreads() {
        return waiters.count() > 0;
    }

    public final int getQueueLength() {
        return waiters.count();
    }

    protected Collection<Thread> getQueuedThreads() {
        return waiters.threads();
    }

    @Override
    public String toString() {
        return mine().toString();
    }
}
