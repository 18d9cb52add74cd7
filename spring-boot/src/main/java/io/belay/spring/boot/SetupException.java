package io.belay.spring.boot;

import io.belay.BelayException;
import io.belay.StoreUnavailableException;
import java.util.function.Supplier;

/** Something that an application lacks, or does not say, so that its locks have no store; or a store that it may not start without. */
final class SetupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String action;

    SetupException(String description, String action) {
        super(description);
        this.action = action;
    }

    private SetupException(BelayException refused, String action) {
        super("The store of the locks cannot be used: " + refused.getMessage(), refused);
        this.action = action;
    }

    /** Returns what is told where the client could not be connected. */
    static SetupException of(BelayException refused) {
        return new SetupException(
                refused,
                refused instanceof StoreUnavailableException
                        ? "Start the store, or set belay.connect=later to start the application without it."
                        : "Correct what the message names.");
    }

    /** Returns what is made of the properties, one of which may be out of range. */
    static <T> T ofProperties(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new SetupException(
                    "A property of belay.* cannot be: " + e.getMessage(), "Correct what the message names.");
        }
    }

    /** Returns what to do. */
    String action() {
        return action;
    }
}
