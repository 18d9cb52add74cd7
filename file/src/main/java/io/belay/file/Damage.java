package io.belay.file;

import java.io.Serial;

/** Thrown when what was read cannot be what a client wrote. */
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
