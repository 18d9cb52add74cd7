package io.belay.cli.text;

/** An exception that ends the command with one line and an exit code. */
public final class CliException extends RuntimeException {
    /** The exit code if the command did not reach what it was to reach. */
    public static final int FELL_SHORT = 1;

    /** The exit code if the command was called wrongly, or what it needs is not there. */
    public static final int USAGE = 2;

    /** The exit code if exclusion did not hold. */
    public static final int OVERSOLD = 3;

    private static final long serialVersionUID = 1;

    private final int exitCode;

    private CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Returns the exception for a wrong call or environment. */
    public static CliException usage(String message) {
        return new CliException(USAGE, message);
    }

    /** Returns the exception for what went wrong on the way. */
    public static CliException fellShort(String message) {
        return new CliException(FELL_SHORT, message);
    }

    /** Returns the exception that ends the command with that exit code. */
    public static CliException of(int exitCode, String message) {
        return new CliException(exitCode, message);
    }

    /** Returns the exit code that the command ends with. */
    public int exitCode() {
        return exitCode;
    }
}
