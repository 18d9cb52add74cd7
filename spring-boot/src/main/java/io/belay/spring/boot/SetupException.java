package io.belay.spring.boot;

/** Something that an application lacks, or does not say, so that its locks have no store. */
final class SetupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String action;

    SetupException(String description, String action) {
        super(description);
        this.action = action;
    }

    /** Returns what to do. */
    String action() {
        return action;
    }
}
