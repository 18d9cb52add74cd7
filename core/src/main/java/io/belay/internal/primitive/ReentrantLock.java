package io.belay.internal.primitive;

import io.belay.DeadlockPolicy;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.LossReason;
import io.belay.ReentrantDistributedLock;
import io.belay.ReleaseOutcome;
import io.belay.internal.gate.Hold;
import io.belay.internal.primitive.ReentrantLocks.Levels;
import io.belay.internal.time.Threads;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** The view of a lock as a {@link java.util.concurrent.locks.Lock}: a count for each thread around its lease. */
public class ReentrantLock extends Primitive implements ReentrantDistributedLock {
    private final Lock lock;
    private final ReentrantLocks locks;

    /** The levels of the thread that locked through this object last, found without search; only it uses the count. */
    private volatile @Nullable Levels latest;

    public ReentrantLock(Lock lock, ReentrantLocks locks) {
        super(ReentrantDistributedLock.class, lock.gates, lock.name);
        LockOptions options = lock.options;
        this.lock = options.deadlock().isPresent() ? lock : lock.with(options.withDeadlock(DeadlockPolicy.THROW));
        this.locks = locks;
    }

    @Override
    public void lock() {
        lock(lock);
    }

    @Override
    public void lock(Duration lease) {
        lock(fixed(lease));
    }

    private void lock(Lock by) {
        if (!reenterOrWait()) {
            noted(by.acquireUninterruptibly());
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lockInterruptibly(lock);
    }

    @Override
    public void lockInterruptibly(Duration lease) throws InterruptedException {
        lockInterruptibly(fixed(lease));
    }

    private void lockInterruptibly(Lock by) throws InterruptedException {
        Lock.checkInterrupt();
        if (!reenterOrWait()) {
            noted(by.acquire());
        }
    }

    @Override
    public boolean tryLock() {
        return reenter() || (!waitsForItself() && locked(lock.tryAcquire()));
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        return tryLock(
                lock, Duration.ofNanos(Objects.requireNonNull(unit, "unit").toNanos(wait)));
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        return tryLock(fixed(lease), Objects.requireNonNull(wait, "wait"));
    }

    private boolean tryLock(Lock by, Duration wait) throws InterruptedException {
        Lock.checkInterrupt();
        return reenter() || (!waitsForItself() && locked(by.tryAcquire(wait.isNegative() ? Duration.ZERO : wait)));
    }

    private Lock fixed(Duration lease) {
        return lock.with(lock.options.withFixedLease(Objects.requireNonNull(lease, "lease")));
    }

    private boolean locked(Optional<Lease> lease) {
        lease.ifPresent(this::noted);
        return lease.isPresent();
    }

    /** Notes that the thread has taken the lock, which is given back if that fails: nobody could unlock it. */
    private void noted(Lease lease) {
        try {
            added(lease);
        } catch (Throwable e) { // as no memory is left
            ((Hold) lease).discard();
            throw e;
        }
    }

    /** Notes that the thread holds one level by that lease. */
    void added(Lease lease) {
        latest = locks.add(name, (Hold) lease);
    }

    /** Returns what is counted for the thread; null if nothing is. */
    final @Nullable Levels levels() {
        Levels last = latest;
        // The last level may have been given back through another object for this lock, or be collected.
        return last != null && last.key.getValue() == Thread.currentThread() && last.count > 0 && !last.collected
                ? last
                : locks.ofCurrentThread(name);
    }

    /** Counts one level more if the thread holds the lock. */
    boolean reenter() {
        @Nullable Levels levels = held();
        if (levels == null) {
            return false;
        }
        levels.count = Math.addExact(levels.count, 1);
        return true;
    }

    /** Does the same, and throws if the thread would wait for itself. */
    private boolean reenterOrWait() {
        boolean reenters = reenter();
        if (!reenters && waitsForItself()) {
            throw new LockRefusedException(
                    "The write lock '" + name + "' is refused to a thread that holds its read lock: it would wait"
                            + " for itself. Give the read lock back first, or read by readWriteLock(name),"
                            + " whose tryUpgrade makes a writer of the only reader",
                    null);
        }
        return reenters;
    }

    /** Returns whether the thread holds what keeps it from having this lock. */
    boolean waitsForItself() {
        return false;
    }

    /**
     * Returns the thread's levels if their lease is held. Those of a lease that is over go: at once if that is what its holder
     * asked for, else once the thread has been told, which the first ask does. What could not be given back is so now.
     */
    final @Nullable Levels held() {
        @Nullable Levels levels = levels();
        if (levels != null && levels.count == 0) {
            end(levels);
            return null;
        }
        if (levels == null || levels.lease.isHeldForSure()) {
            return levels;
        }
        String again = "The lock '" + name + "' cannot be locked again: ";
        LeaseLostException seen = levels.lease.notHeld(
                again + "its lease is lost, so the code around this has no exclusion any more; unlock first",
                again + "the machine seems to have been suspended, and the store does not answer whether its"
                        + " lease still runs; try again shortly");
        boolean asAsked = seen.isReleased() || seen.reason().equals(Optional.of(LossReason.ENDED));
        boolean unsure = seen.isUnsure();
        if (unsure || !(asAsked || levels.lease.isLossTold)) {
            levels.lease.isLossTold = !unsure;
            throw seen;
        }
        levels.count = 0;
        locks.remove(levels);
        return null;
    }

    @Override
    public void unlock() {
        Levels levels = own();
        boolean lost = --levels.count > 0 ? levels.lease.isLost() : !end(levels);
        if (lost) {
            throw levels.lease.notHeld("The lease of '" + name + "' (token " + levels.lease.token()
                    + ") was lost before it was unlocked: others may have held the lock meanwhile");
        }
    }

    /** Gives the last level back; returns false if the lease was lost before. */
    boolean giveBack(Lease lease) {
        ReleaseOutcome outcome = ((Hold) lease).releasePromptly(engine.requestTimeout());
        if (outcome == ReleaseOutcome.UNKNOWN) {
            ((Hold) lease).tell(outcome);
        }
        return outcome != ReleaseOutcome.ALREADY_LOST;
    }

    /** Does so, and forgets the levels behind that: where it fails, their thread does it again when it locks or unlocks. */
    private boolean end(Levels levels) {
        levels.count = 0;
        boolean held = giveBack(levels.lease);
        latest = null;
        locks.remove(levels);
        return held;
    }

    private Levels own() {
        Levels levels = levels();
        if (levels == null) {
            throw new IllegalMonitorStateException("The thread '" + Threads.name(Thread.currentThread())
                    + "' does not hold the lock '" + name + "': who locked it unlocks it (a lease, any thread)");
        }
        return levels;
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A distributed lock has no conditions: one would have to survive the"
                + " loss of the lock, which no lease can promise");
    }

    @Override
    public boolean isHeldByCurrentThread() {
        @Nullable Levels levels = levels();
        if (levels == null || levels.count == 0 || levels.lease.isHeld()) {
            return levels != null && levels.count > 0;
        }
        boolean lost = levels.lease.isLost();
        levels.lease.isLossTold = levels.lease.isLossTold || lost;
        // Else nobody knows yet, and a thread that asks before it unlocks is to unlock.
        return !lost && !levels.lease.isReleased();
    }

    @Override
    public boolean isLocked() {
        return lock.isLocked();
    }

    @Override
    public int getHoldCount() {
        @Nullable Levels levels = levels();
        return levels == null ? 0 : levels.count;
    }

    @Override
    public Lease lease() {
        return own().lease;
    }
}
