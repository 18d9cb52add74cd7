package io.belay.cli.run;

import io.belay.BelayException;
import io.belay.cli.text.CliException;

/** The exit codes of commands that run others: those of {@code sysexits.h} and of a shell, which scripts know. */
final class ExitCodes {
    /** The command was called wrongly ({@code EX_USAGE}). */
    static final int USAGE = 64;

    /** The store cannot be reached or used, or Java or a process that is needed fails ({@code EX_UNAVAILABLE}). */
    static final int STORE = 69;

    /** The lock was not had ({@code EX_TEMPFAIL}). */
    static final int NOT_HAD = 75;

    /** The lock was lost while the command ran. */
    static final int LOST = 79;

    /** The command is there, but cannot be run. */
    static final int NOT_EXECUTABLE = 126;

    /** There is no such command. */
    static final int NOT_FOUND = 127;

    /** A signal's number is added to this. */
    static final int SIGNALLED = 128;

    private ExitCodes() {}

    static int of(Throwable e) {
        if (e instanceof CliException told) {
            return told.exitCode() == CliException.USAGE ? USAGE : told.exitCode();
        }
        return e instanceof BelayException || e instanceof Error ? STORE : USAGE;
    }
}
