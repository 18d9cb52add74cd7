package io.belay.bench.lead;

/** The failure of a worker whose libraries lack a class or a method that its case uses. The message names it. */
public final class MissingCodeException extends BenchException {
    private static final long serialVersionUID = 1;

    MissingCodeException(String message) {
        super(message);
    }
}
