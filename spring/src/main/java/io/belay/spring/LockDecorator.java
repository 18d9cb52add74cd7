package io.belay.spring;

import io.belay.DistributedLock;

/**
 * A wrapper around the locks that {@link Locked} takes, such as one that observes waits and holds. All beans of this type are
 * used, the first the innermost.
 */
@FunctionalInterface
public interface LockDecorator {
    /** Returns the lock to take in place of another: one of the same name, whose leases are those of the other. */
    DistributedLock decorate(DistributedLock lock);
}
