package io.belay.cli.text;

/** The exit codes of a command that has others than most when it fails. */
public interface FailureCodes {
    /** Returns the one for a wrong call. */
    int usage();

    /** Returns the one for what the command threw. */
    int of(Throwable e);
}
