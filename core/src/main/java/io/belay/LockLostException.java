package io.belay;

/**
 * Thrown by {@link ReentrantDistributedLock#unlock()} when the lease was lost before: what was done under the lock may
 * have overlapped with another holder's work.
 */
public class LockLostException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public LockLostException(String message) {
        super(message, null);
    }
}
