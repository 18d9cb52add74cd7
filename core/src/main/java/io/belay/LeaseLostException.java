package io.belay;

import org.jspecify.annotations.Nullable;

/** A lease that the caller relied on is lost: others may have held the lock meanwhile. */
public class LeaseLostException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public LeaseLostException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
