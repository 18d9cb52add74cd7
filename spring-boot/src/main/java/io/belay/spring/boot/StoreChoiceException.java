package io.belay.spring.boot;

/** The failure to find out which store the locks are to be in. */
final class StoreChoiceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String action;

    StoreChoiceException(String description, String action) {
        super(description);
        this.action = action;
    }

    /** Returns what to do. */
    String action() {
        return action;
    }
}
