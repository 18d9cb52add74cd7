package io.belay.cli;

import io.belay.cli.doctor.DoctorCommand;
import io.belay.cli.process.ErrorLog;
import io.belay.cli.run.Launcher;
import io.belay.cli.text.CliException;
import io.belay.cli.text.FailureCodes;
import io.belay.cli.text.Version;
import io.belay.support.UrlPasswords;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The entry point of {@code belay}. It looks at the first argument itself, and has only the command that it names built: to
 * read the options of all would take most of the time that a start takes.
 */
public final class Main {
    private static final int BROKEN_PIPE = 128 + 13;

    private Main() {}

    public static void main(String[] args) {
        begin();
        int exitCode = run(args);
        Launcher.end();
        System.exit(System.out.checkError() ? unprinted(exitCode) : exitCode);
    }

    /**
     * Tells that what was printed could not be written, which Java keeps to itself, and returns the exit code: a bad result's stays.
     * Whoever has read enough of a pipe wants to hear no more: then it is the code of those whom SIGPIPE has ended.
     */
    private static int unprinted(int exitCode) {
        int code = BROKEN_PIPE;
        try {
            if (Files.readSymbolicLink(Path.of("/proc/self/fd/1")).isAbsolute()) {
                System.err.println(
                        "belay: the standard output is closed, or a file that cannot be written to, or its disk"
                                + " is full"); // where it is closed, one of Java's own files lies there
                code = CliException.USAGE;
            }
        } catch (IOException e) {
            // A system without /proc does not tell what it is.
        }
        return exitCode == 0 || exitCode == DoctorCommand.UNTRIED ? code : exitCode;
    }

    /** Has this process log; and tells the script that starts {@code run} and {@code lead}, if one did, that it has begun. */
    static void begin() {
        ErrorLog.use();
        Launcher.begin();
    }

    /** Runs a command and returns its exit code. */
    public static int run(String... args) {
        String first = args.length == 0 ? "" : args[0];
        try {
            switch (first) {
                case "-h", "--help" -> System.out.print(Commands.help());
                case "-V", "--version" -> System.out.println(Version.line());
                case "" -> throw CliException.usage("which command? one of " + Commands.names() + "; see belay --help");
                default -> {
                    return run(Commands.make(first), first, Arrays.copyOfRange(args, 1, args.length));
                }
            }
            return 0;
        } catch (CliException e) {
            return fail(e, e.exitCode());
        }
    }

    static int run(Callable<Integer> command, String name, String... args) {
        try {
            return Commands.line(command, name)
                    .setOut(new PrintWriter(Launcher.out(), true))
                    .setParameterExceptionHandler((e, ignored) ->
                            fail(e, command instanceof FailureCodes own ? own.usage() : CliException.USAGE))
                    .setExecutionExceptionHandler((e, line, parsed) -> fail(e, exitCode(command, e)))
                    .execute(args);
        } catch (Error e) {
            // No thread is to be had, say. Java's own code for it is that of a result.
            return fail(e, exitCode(command, e));
        }
    }

    private static int exitCode(Callable<Integer> command, Throwable e) {
        if (command instanceof FailureCodes own) {
            return own.of(e);
        }
        return e instanceof CliException told ? told.exitCode() : CliException.USAGE;
    }

    /** Prints one line. The stack helps nobody who called it wrongly; whoever looks for a bug sets BELAY_DEBUG. */
    private static int fail(Throwable thrown, int exitCode) {
        // Of a class that could not begin, as for want of open files, only what it threw says why.
        Throwable e =
                thrown instanceof ExceptionInInitializerError && thrown.getCause() != null ? thrown.getCause() : thrown;
        String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        // An option's choices as its help writes them.
        message = Pattern.compile("\\[([A-Z, ]+)] \\(case-insensitive\\)")
                .matcher(message)
                .replaceAll(names -> names.group(1).toLowerCase(Locale.ROOT).replace(", ", "|"))
                .replaceFirst(" is not an int$", " is not a whole number");
        if (e instanceof CommandLine.UnmatchedArgumentException || e instanceof CommandLine.MissingParameterException) {
            message += "; see "
                    + ((CommandLine.ParameterException) e).getCommandLine().getCommandName() + " --help";
        }
        if (e instanceof CommandLine.ParameterException wrong && wrong.getArgSpec() instanceof OptionSpec option) {
            // By all its names: which of them was given is not known.
            message =
                    message.replace("'" + option.longestName() + "'", "'" + String.join("', '", option.names()) + "'");
        }
        boolean told = e.getClass().getName().startsWith("io.belay.")
                || e instanceof IllegalArgumentException
                || e instanceof CommandLine.ParameterException;
        System.err.println(
                "belay: " + UrlPasswords.mask(told ? message : e.getClass().getSimpleName() + ": " + message));
        if (System.getenv("BELAY_DEBUG") != null) {
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            System.err.print(UrlPasswords.mask(trace.toString()));
        }
        return exitCode;
    }
}
