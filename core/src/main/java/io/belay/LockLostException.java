package io.belay;

import java.util.Objects;

/**
 * Thrown by {@link ReentrantDistributedLock#unlock()} when the lease was lost before: what was done under the lock may
 * have overlapped with another holder's work.
 */
public class LockLostException extends IllegalMonitorStateException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public LockLostException(String message) {
        super(Objects.requireNonNull(message, "message"));
    }
}
