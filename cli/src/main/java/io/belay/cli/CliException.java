package io.belay.cli;

/** Ends the command with one line and an exit code. */
public final class CliException extends RuntimeException {
    /** What was to be reached was not. */
    public static final int FELL_SHORT = 1;

    /** The command was called wrongly, or what it needs is not there. */
    public static final int USAGE = 2;

    /** Exclusion did not hold. */
    public static final int OVERSOLD = 3;

    private static final long serialVersionUID = 1;

    private final int exitCode;

    private CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** A wrong call or environment. */
    public static CliException usage(String message) {
        return new CliException(USAGE, message);
    }

    /** Something that went wrong on the way. */
    public static CliException fellShort(String message) {
        return new CliException(FELL_SHORT, message);
    }

    int exitCode() {
        return exitCode;
    }
}
