package io.belay;

import org.jspecify.annotations.Nullable;

/** The store refused a claim, or granted one that cannot be trusted; the message says why. */
public class LockRefusedException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public LockRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
