package io.belay.spring;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.LockOptions;
import io.belay.spring.Locked.Mode;
import org.jspecify.annotations.Nullable;

/** The name of a lock in a store, with the kind of lock that a method wants; equal by whatever view of the client that is. */
record LockName(Belay belay, String name, Mode mode) {
    DistributedLock lock(LockOptions options) {
        if (mode == Mode.EXCLUSIVE) {
            return belay.lock(name, options);
        }
        DistributedReadWriteLock both = belay.readWriteLock(name, options);
        return mode == Mode.READ ? both.readLock() : both.writeLock();
    }

    boolean isSameLock(LockName other) {
        return belay == other.belay ? name.equals(other.name) : whole().equals(other.whole());
    }

    /** Returns the lock of that name, which is equal for all views of a client. */
    DistributedLock whole() {
        return belay.lock(name, LockOptions.defaults());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockName its && mode == its.mode && isSameLock(its);
    }

    @Override
    public int hashCode() {
        return whole().name().hashCode();
    }
}
