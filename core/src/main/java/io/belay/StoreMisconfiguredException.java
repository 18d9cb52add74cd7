package io.belay;

import org.jspecify.annotations.Nullable;

/** The store cannot be used as it is: a wrong URL, no rights, another server. To try again does not help. */
public class StoreMisconfiguredException extends BelayException {
    private static final long serialVersionUID = 1;

    /** Makes the exception; only the library calls this. */
    public StoreMisconfiguredException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
