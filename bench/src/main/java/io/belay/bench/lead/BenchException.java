package io.belay.bench.lead;

/** The failure of a library or a process to do what it was to do. The message is for the user. */
public class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BenchException(String message) {
        super(message);
    }
}
