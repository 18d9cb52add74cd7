package io.belay;

import org.jspecify.annotations.Nullable;

/** The client was closed. */
public class ClientClosedException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public ClientClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
