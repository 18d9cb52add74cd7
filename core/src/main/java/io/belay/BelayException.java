package io.belay;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parent of all exceptions of Belay's. The message is one line that names the lock or the store, tells what was seen, and what to
 * do. Its subclasses say what is known of the lock.
 */
public class BelayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public BelayException(String message, @Nullable Throwable cause) {
        super(Objects.requireNonNull(message, "message"), cause);
    }
}
