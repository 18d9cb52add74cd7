package io.belay.shedlock;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A lock that a job has until it is unlocked, or extended: then it goes on in another object. One whose lease was lost is
 * unlocked like any other, as its job has to end either way; the client logs the loss.
 */
final class JobLock implements SimpleLock {
    private final BelayLockProvider provider;
    private final String name;
    private final Lease lease;
    private final LossInterrupt interrupt;
    /** The time, by the JVM's clock, until which the extensions so far have asked to keep the lock. */
    private final long keptUntil;

    private final AtomicBoolean used = new AtomicBoolean();

    JobLock(BelayLockProvider provider, String name, Lease lease, LossInterrupt interrupt, Duration atLeast) {
        this.provider = provider;
        this.name = name;
        this.lease = lease;
        this.interrupt = interrupt;
        keptUntil = System.nanoTime() + atLeast.toNanos();
    }

    @Override
    public void unlock() {
        use();
        interrupt.end();
        Duration rest = rest();
        if (BelayLockProvider.isPositive(rest)) {
            lease.releaseAfter(rest);
        } else {
            lease.release(); // keeps the lock for as long as its options say
        }
    }

    /**
     * Moves the end of {@code lockAtMostFor} to so long from now. The lock stays taken for the longest
     * {@code lockAtLeastFor}, of the one it was taken with, those of extensions before and this one. Blocks for one round trip.
     *
     * @return the extended lock, or empty if the lock is lost; then this one is still to be unlocked
     * @throws IllegalStateException if it was unlocked or extended before
     * @throws StoreUnavailableException if the store did not answer in time; this one is still to be unlocked
     */
    @Override
    public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
        if (used.get()) {
            throw misused();
        }
        LockConfiguration checked = new LockConfiguration(ClockProvider.now(), name, lockAtMostFor, lockAtLeastFor);
        Duration atLeast = checked.getLockAtLeastFor();
        if (BelayLockProvider.isPositive(atLeast)) {
            provider.checkAtLeast(name);
        }
        JobLock extended = new JobLock(provider, name, lease, interrupt, BelayLockProvider.longer(rest(), atLeast));
        try {
            lease.extend(BelayLockProvider.atLeastAMillisecond(checked.getLockAtMostFor()));
        } catch (LeaseLostException e) {
            if (e.isUnsure()) { // after a suspension nobody knows until the store answers
                throw new StoreUnavailableException(String.valueOf(e.getMessage()), e);
            }
            return Optional.empty();
        }
        use();
        return Optional.of(extended);
    }

    private Duration rest() {
        return Duration.ofNanos(keptUntil - System.nanoTime());
    }

    private void use() {
        if (!used.compareAndSet(false, true)) {
            throw misused();
        }
    }

    private IllegalStateException misused() {
        return new IllegalStateException(
                "lock " + name + " was unlocked or extended before; use what the extension returned");
    }
}
