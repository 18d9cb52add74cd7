package io.belay.file;

import java.io.Serial;

/** What was read cannot be what was written. */
final class Damage extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    Damage(String message, Throwable cause) {
        super(message, cause);
    }

    Damage(String message) {
        super(message);
    }
}
