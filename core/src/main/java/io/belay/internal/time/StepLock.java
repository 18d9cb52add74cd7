package io.belay.internal.time;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock and the outbox of a gate and its claims. It runs their steps one at a time, and then what the steps
 * decided to send or to tell, in the order in which that was decided but outside the lock: a thread that finds nobody
 * emptying the outbox does so, the others only add. So a store that answers inside the call meets no lock that its
 * caller holds, and no answer nests in another.
 *
 * <p>At the end of each step the {@link Owner} settles: it looks at what is there now and does what that calls for. So whatever
 * a step forgets to do for others is done all the same, by this step or by the next.
 *
 * <p>Every gate has one, and a hundred thousand of them are touched at each renewal: hence lock and outbox in one
 * object. The lock is not reentrant; a step must not begin another.
 */
public final class StepLock extends AbstractQueuedSynchronizer implements AutoCloseable {
    private static final Log LOG = Log.of(LogName.CLIENT);
    private static final long serialVersionUID = 1;

    /** Whose steps they are. Both methods are called under the lock. */
    public interface Owner {
        /** Ends a step; what it decides follows the step too. */
        void settle();

        /** Called behind that, by who is to do what follows the step once that is done: it may have changed much. */
        default void rearm() {}
    }

    private final transient Owner owner;

    // The outbox, if there is anything in it, and whether somebody empties it; guarded by the lock.
    private transient @Nullable List<Runnable> outbox;
    private transient boolean flushing;

    /** Makes the lock of the owner's steps. */
    public StepLock(Owner owner) {
        this.owner = owner;
    }

    @Override
    protected boolean tryAcquire(int one) {
        boolean free = compareAndSetState(0, one);
        assert !free || noteOwner(Thread.currentThread());
        return free;
    }

    @Override
    protected boolean tryRelease(int one) {
        assert noteOwner(null);
        setState(0);
        return true;
    }

    /** Notes who takes a step, for the assertions; a lock that is used in earnest does without. */
    private boolean noteOwner(@Nullable Thread thread) {
        setExclusiveOwnerThread(thread);
        return true;
    }

    /** Returns whether the present thread is taking a step; known only where assertions are enabled. */
    @Override
    public boolean isHeldExclusively() {
        return getExclusiveOwnerThread() == Thread.currentThread();
    }

    /** Runs a step, which must not block, and then whatever is to follow. */
    public void run(Runnable step) {
        try (var unused = begin()) {
            step.run();
        }
    }

    /** Does the same with a step that comes to something, and returns that. */
    public <T extends @Nullable Object> T call(Supplier<T> step) {
        try (var unused = begin()) {
            return step.get();
        }
    }

    /** Begins a step, which {@link #close} must end whatever happens; returns this, for a try. What is thrown here has begun none. */
    public StepLock begin() {
        assert !isHeldExclusively() : "a step began inside another";
        acquire(1);
        return this;
    }

    /** Adds what is to follow the step; called inside a step. */
    public void later(Runnable what) {
        assert isHeldExclusively() : "nobody takes a step";
        List<Runnable> all = outbox == null ? new ArrayList<>(2) : outbox;
        all.add(what);
        outbox = all;
    }

    /** Ends a step, and does whatever is to follow. */
    @Override
    public void close() {
        try {
            owner.settle();
        } catch (Throwable e) { // the lock must be given back all the same
            LOG.error("A step could not be settled; the next one tries again", e);
        } finally { // also where no stack is left for that line
            if (!flushing) {
                flushing = true;
                for (List<Runnable> all = outbox; all != null; all = outbox) {
                    outbox = null;
                    release(1);
                    follow(all);
                }
                flushing = false;
            }
            try {
                owner.rearm();
            } catch (Throwable e) { // what the step has come to stands
                LOG.error("What ends a step failed; the next one tries again", e);
            } finally {
                release(1);
            }
        }
    }

    /** Does what was to follow, and takes the lock again: whatever fails, the rest follows all the same, and what comes later. */
    void follow(List<Runnable> all) {
        try {
            for (int i = 0; i < all.size(); i++) { // an iterator would need memory
                try {
                    all.get(i).run();
                } catch (Throwable e) {
                    LOG.error("Something that was to follow a step failed; the rest goes on", e);
                }
            }
            acquire(1);
        } catch (Error e) { // no stack is left, or no memory to wait in the queue
            while (!tryAcquire(1)) {
                Thread.yield(); // whoever has the lock has it for a moment
            }
        }
    }
}
