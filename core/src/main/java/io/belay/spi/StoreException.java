package io.belay.spi;

import io.belay.support.OneLine;
import org.jspecify.annotations.Nullable;

/**
 * A failure of a store. The message is for the user: one line that names the culprit and the cure, and holds no
 * secret. Characters that would break the line are replaced by question marks.
 */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean temporary;

    private StoreException(String message, boolean temporary, @Nullable Throwable cause) {
        super(OneLine.of(message), cause);
        this.temporary = temporary;
    }

    /** Makes the exception for a store that cannot be reached now; to try again may help. */
    public static StoreException unreachable(String message, @Nullable Throwable cause) {
        return new StoreException(message, true, cause);
    }

    /**
     * Makes the exception for a store that cannot be used as it is: a wrong URL, no rights, rubbish in it. To try
     * again does not help.
     */
    public static StoreException unusable(String message, @Nullable Throwable cause) {
        return new StoreException(message, false, cause);
    }

    /** Returns whether to try again may help. */
    public boolean isTemporary() {
        return temporary;
    }
}
