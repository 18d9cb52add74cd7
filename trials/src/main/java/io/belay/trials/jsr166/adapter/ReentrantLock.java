package io.belay.trials.jsr166.adapter;

import java.io.NotSerializableException;
import java.io.Serializable;
import java.util.Collection;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** {@link java.util.concurrent.locks.ReentrantLock} on {@link io.belay.ReentrantDistributedLock}. */
@SuppressWarnings("serial") // a clone is another lock
public class ReentrantLock extends OwnedLock implements Serializable {
    private final boolean fair;

    public ReentrantLock() {
        this(false);
    }

    public ReentrantLock(boolean fair) {
        this(fair, Adapters.freshName());
    }

    private ReentrantLock(boolean fair, String name) {
        super(OfEachClient.make(client -> client.reentrantLock(name, Adapters.options(fair)))::mine, new Waiters(name));
        this.fair = fair;
    }

    public final boolean isFair() {
        return fair;
    }

    public boolean isLocked() {
        return waiters.isHeld();
    }

    protected @Nullable Thread getOwner() {
        return waiters.owner();
    }

    public final boolean hasQueuedThreads() {
        return waiters.count() > 0;
    }

    public final boolean hasQueuedThread(Thread thread) {
        return waiters.contains(thread);
    }

    public final int getQueueLength() {
        return waiters.count();
    }

    protected Collection<Thread> getQueuedThreads() {
        return waiters.threads();
    }

    public boolean hasWaiters(Condition condition) {
        throw new UnsupportedOperationException("no conditions");
    }

    public int getWaitQueueLength(Condition condition) {
        throw new UnsupportedOperationException("no conditions");
    }

    protected Collection<Thread> getWaitingThreads(Condition condition) {
        throw new UnsupportedOperationException("no conditions");
    }

    private Object writeReplace() throws NotSerializableException {
        if (!Adapters.areClonesAllowed()) {
            throw new NotSerializableException(getClass().getName());
        }
        return new Clone(fair);
    }

    private record Clone(boolean fair) implements Serializable {
        private Object readResolve() {
            return new ReentrantLock(fair);
        }
    }
}
