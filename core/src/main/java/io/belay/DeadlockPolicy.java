package io.belay;

/** The ways in which a wait for a lock may take notice that it is part of a deadlock; see {@link LockOptions#withDeadlock}. */
public enum DeadlockPolicy {
    /** The deadlock is logged and told to the listener; the wait goes on. */
    REPORT,

    /** Beside that, the youngest of these waits in the deadlock ends with a {@link DeadlockException}. */
    THROW
}
