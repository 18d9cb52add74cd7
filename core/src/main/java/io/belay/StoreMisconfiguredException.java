package io.belay;

import org.jspecify.annotations.Nullable;

/**
 * Tells that the store cannot be used as it is: a wrong URL, no rights, another server. Nothing is held by the call. What there is to do
 * is in the message; to try again does not help before.
 */
public class StoreMisconfiguredException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public StoreMisconfiguredException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
