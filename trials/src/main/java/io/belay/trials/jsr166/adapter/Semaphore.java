package io.belay.trials.jsr166.adapter;

import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * {@link java.util.concurrent.Semaphore} on {@link DistributedSemaphore}. Belay's permits are leases, which somebody
 * has to have taken before they are given back; the JDK's are numbers, which may be raised at will. So this has some
 * permits more than it was asked for, and takes them itself: they are what is released without having been acquired.
 */
public class Semaphore {
    private static final int SPARE = 10;

    private record Taken(Lease lease, int permits) {}

    private final DistributedSemaphore semaphore;
    private final Waiters waiters;
    private final List<Taken> taken = new ArrayList<>();

    public Semaphore(int permits) {
        this(permits, false);
    }

    public Semaphore(int permits, boolean fair) {
        if (permits < 0) {
            throw new UnsupportedOperationException("no fewer permits than none");
        }
        String name = Adapters.freshName();
        semaphore = Adapters.belay().semaphore(name, permits + SPARE, Adapters.options(fair));
        waiters = new Waiters(name);
        for (int i = 0; i < SPARE; i++) {
            take(semaphore.tryAcquire(), 1);
        }
    }

    public void acquire() throws InterruptedException {
        acquire(1);
    }

    public void acquire(int permits) throws InterruptedException {
        take(Optional.of(waiters.during(semaphore.permits(permits)::acquire)), permits);
    }

    public void acquireUninterruptibly() {
        acquireUninterruptibly(1);
    }

    public void acquireUninterruptibly(int permits) {
        take(
                Optional.of(waiters.during(
                        () -> semaphore.permits(permits).acquireAsync().join())),
                permits);
    }

    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    public boolean tryAcquire(int permits) {
        return take(semaphore.permits(permits).tryAcquire(), permits);
    }

    public boolean tryAcquire(long wait, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, wait, unit);
    }

    public boolean tryAcquire(int permits, long wait, TimeUnit unit) throws InterruptedException {
        Duration time = Duration.ofNanos(Math.max(0, unit.toNanos(wait)));
        return take(waiters.during(() -> semaphore.permits(permits).tryAcquire(time)), permits);
    }

    public void release() {
        release(1);
    }

    public void release(int permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("cannot release " + permits);
        }
        for (Taken one : choose(permits)) {
            Release outcome = one.lease().release();
            if (outcome != Release.RELEASED) {
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
        return semaphore.available();
    }

    public int drainPermits() {
        int free = semaphore.available();
        while (free > 0 && !tryAcquire(free)) {
            free = semaphore.available();
        }
        return free;
    }

    protected void reducePermits(int reduction) {
        if (reduction < 0) {
            throw new IllegalArgumentException("cannot reduce by " + reduction);
        }
        semaphore.resize(semaphore.total() - reduction);
    }

    /** Says yes always: Belay serves in order, whatever was asked for. */
    public boolean isFair() {
        return true;
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
        return semaphore.toString();
    }
}
