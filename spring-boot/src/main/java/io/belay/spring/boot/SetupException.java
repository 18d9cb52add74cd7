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

    private SetupException(String what, RuntimeException refused, String action) {
        super(what + refused.getMessage(), refused);
        this.action = action;
    }

    /** Returns what is told where the client could not be connected. */
    static SetupException of(BelayException refused) {
        return new SetupException(
                "The store of the locks cannot be used: ",
                refused,
                refused instanceof StoreUnavailableException
                        ? "Start the store, or set belay.connect=later to start the application without it."
                        : "Correct what the message names.");
    }

    /** Returns what is made of properties, one of which may be out of range; {@code which} begins the line that tells so. */
    static <T> T ofProperties(String which, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException | BelayException e) {
            throw new SetupException(which + " cannot be: ", e, "Correct what the message names.");
        }
    }

    /** Returns what to do. */
    String action() {
        return action;
    }
}
