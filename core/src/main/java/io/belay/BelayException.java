package io.belay;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What Belay throws. The message is one line that names the lock or the store, says what was seen and what to do. */
public class BelayException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Only the library makes these. */
    public BelayException(String message, @Nullable Throwable cause) {
        super(Objects.requireNonNull(message, "message"), cause);
    }
}
