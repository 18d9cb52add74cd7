package io.belay;

import org.jspecify.annotations.Nullable;

/**
 * Tells that the store refused a claim, or granted one that cannot be trusted: others use the name as something else, or with another
 * number of permits, or the store keeps nothing for so long. What was asked for is not held, and what was held before is as it was. What
 * there is to do is in the message; to try again does not help before.
 */
public class LockRefusedException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public LockRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
