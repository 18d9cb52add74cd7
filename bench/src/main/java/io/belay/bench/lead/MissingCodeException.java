package io.belay.bench.lead;

/** A worker whose libraries have no class or method of a name that its case uses. The message is what it lacks. */
public final class MissingCodeException extends BenchException {
    private static final long serialVersionUID = 1;

    MissingCodeException(String message) {
        super(message);
    }
}
