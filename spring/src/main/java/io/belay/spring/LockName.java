package io.belay.spring;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.LockOptions;
import io.belay.spring.Locked.Mode;

/** The name of a lock in a store, with the kind of lock that a method wants. */
record LockName(Belay belay, String name, Mode mode) {
    DistributedLock lock(LockOptions options) {
        if (mode == Mode.EXCLUSIVE) {
            return belay.lock(name, options);
        }
        DistributedReadWriteLock both = belay.readWriteLock(name, options);
        return mode == Mode.READ ? both.readLock() : both.writeLock();
    }

    boolean isSameLock(LockName other) {
        return belay == other.belay && name.equals(other.name);
    }
}
