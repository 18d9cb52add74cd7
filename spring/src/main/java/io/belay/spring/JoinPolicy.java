package io.belay.spring;

/**
 * Says of transactions around {@link Locked} methods that would be refused that the lock is held until they have ended, as with
 * {@link Locked.InTransaction#HOLD_UNTIL_COMPLETION}: such as those that a test begins and rolls back. A transaction that any
 * bean of this type says so of is joined.
 */
@FunctionalInterface
public interface JoinPolicy {
    /** Returns whether the lock of a method that is called now is held to the end of the calling thread's transaction. */
    boolean joins();
}
