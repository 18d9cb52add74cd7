package io.belay;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be reached in time, or the client is {@linkplain Belay#pause paused}; nothing is known of the lock. To try
 * again may help.
 */
public class StoreUnavailableException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
