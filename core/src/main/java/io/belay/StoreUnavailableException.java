package io.belay;

import org.jspecify.annotations.Nullable;

/**
 * Tells that the store could not be reached in time, or that the client is {@linkplain Belay#pause paused}. Nothing is known of the
 * lock: others may have it or not, and what was asked may still be done, unless the method says otherwise. To try again may help.
 */
public class StoreUnavailableException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
