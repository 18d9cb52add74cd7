package io.belay;

import org.jspecify.annotations.Nullable;

/**
 * Tells that the client was closed, before the call or while it waited. Nothing is held by it any more, and its claims have left. What
 * there is to do: connect a new client, or end.
 */
public class ClientClosedException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public ClientClosedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
