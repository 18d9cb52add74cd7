package io.belay;

import org.jspecify.annotations.Nullable;

/**
 * Tells that the store refused a claim, or granted one that cannot be trusted: others use the name as something else, or with another
 * number of permits. The lock is not held. What there is to do is in the message; to try again does not help before.
 */
public class LockRefusedException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public LockRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
