package io.belay.simulation;

/** An error that users' code throws on purpose. */
final class PlannedError extends Error {
    private static final long serialVersionUID = 1;

    PlannedError(String message) {
        super(message, null, false, false);
    }
}
