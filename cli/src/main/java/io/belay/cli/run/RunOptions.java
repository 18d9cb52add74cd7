package io.belay.cli.run;

import io.belay.BelayOptions;
import io.belay.LockOptions;
import io.belay.cli.text.CliException;
import io.belay.cli.text.DurationConverter;
import io.belay.cli.text.LockNameConverter;
import io.belay.cli.text.StoreOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that {@code run} and {@code lead} share. */
final class RunOptions {
    /** So many graces a lease has at least: one to end the command in, and two in which a renewal may come late. */
    private static final int GRACES = 3;

    /** The longest time that is allowed for killing what the grace was not enough for. */
    private static final Duration KILLING = Duration.ofMillis(250);

    private static final int HIGHEST_EXIT_CODE = 255;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            converter = LockNameConverter.class,
            description = "The lock's full name.")
    private String name = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "COMMAND",
            hideParamSyntax = true,
            description = "The command and its arguments, behind --.")
    private List<String> command = List.of();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(
            names = {"-c", "--command"},
            paramLabel = "STRING",
            description = "Has a shell run this, in place of a COMMAND.")
    private @Nullable String shell;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description =
                    "For how long the lock stays taken if this process or its machine dies. Default: ${DEFAULT-VALUE}.")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--max-hold",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The longest time to hold: the command is ended before it is over.")
    private @Nullable Duration maxHold;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "5s",
            description = "The time from SIGTERM to SIGKILL when the lock is lost, and how long before the lease's end"
                    + " that begins. Default: ${DEFAULT-VALUE}.")
    private Duration grace = Duration.ZERO;

    @Option(
            names = "--own-exit-code",
            paramLabel = "CODE",
            description =
                    "The exit code whenever it is not the command's own: in place of 64, 69, 75, 79, 126 and 127.")
    private @Nullable Integer ownExitCode;

    @Option(names = "--verbose", description = "Tells what happens on the error output.")
    private boolean verbose;

    @Option(
            names = {"-q", "--quiet"},
            description = "Says nothing where an exit code says it all, as that the lock is taken.")
    private boolean quiet;

    String name() {
        return name;
    }

    String url() {
        return store.sharedUrl();
    }

    Duration grace() {
        return grace;
    }

    /** Returns how long before the lease's end the command is told to end. */
    Duration notice() {
        return grace.plus(killing());
    }

    /** Returns how long before the lease's end the grace is over, so that there is a little time to kill what goes on. */
    Duration killing() {
        Duration half = grace.dividedBy(2);
        return half.compareTo(KILLING) < 0 ? half : KILLING;
    }

    boolean isQuiet() {
        return quiet;
    }

    boolean isVerbose() {
        return verbose;
    }

    /** Prints a line if the user wants to know. */
    void tell(String line) {
        if (verbose) {
            System.err.println("belay: " + line);
        }
    }

    /** Returns the program that is run, and refuses a call without one. */
    String program() {
        if (shell != null) {
            if (!command.isEmpty()) {
                throw CliException.usage("give either -c or a command, not both");
            }
            return "/bin/sh";
        }
        if (command.isEmpty()) {
            throw CliException.usage(
                    "which command? write it behind --: belay " + verb() + " " + name + " --store URL -- COMMAND");
        }
        List<String> given = arguments();
        if (given.indexOf("--") != given.size() - command.size() - 1) {
            throw CliException.usage(
                    "write -- before the command, so that its options are its own: -- " + command.get(0));
        }
        return command.get(0);
    }

    /** Returns where the command stands among the arguments. */
    CommandWords words() {
        return shell == null ? CommandWords.last(command.size(), arguments()) : CommandWords.shell(shell, arguments());
    }

    private List<String> arguments() {
        return spec.commandLine().getParseResult().originalArgs();
    }

    /** Returns {@code run} or {@code lead}. */
    private String verb() {
        return spec.name().replaceFirst("^belay ", "");
    }

    /** Returns the word for which the lock is taken: the command's name, and none of its arguments, which may be secrets. */
    String behalf() {
        if (shell != null) {
            return "sh";
        }
        String program = command.get(0);
        return program.substring(program.lastIndexOf('/') + 1);
    }

    /** Returns how the lock is held, and refuses what cannot be kept. */
    LockOptions lockOptions() {
        checkExitCode("--own-exit-code", ownExitCode);
        if (lease.compareTo(grace.multipliedBy(GRACES)) < 0) {
            throw CliException.usage("--lease " + text(lease) + " is shorter than " + GRACES + " times --grace "
                    + text(grace) + ": the command could not be ended in time; give a longer lease or a shorter grace");
        }
        LockOptions options = LockOptions.defaults().withLease(lease);
        if (maxHold == null) {
            return options;
        }
        if (maxHold.compareTo(grace.multipliedBy(2)) < 0) {
            throw CliException.usage("--max-hold " + text(maxHold) + " is shorter than twice --grace " + text(grace)
                    + ", and would end the command almost at once; give a longer one or a shorter grace");
        }
        return options.withMaxHold(maxHold);
    }

    /** Returns the exit code for what went wrong, and was not the command: the one that is asked for, or this. */
    int ownExitCode(int code) {
        return ownExitCode == null || !isExitCode(ownExitCode) ? code : ownExitCode;
    }

    private static boolean isExitCode(int code) {
        return code >= 0 && code <= HIGHEST_EXIT_CODE;
    }

    /** Refuses what is no exit code. */
    static void checkExitCode(String option, @Nullable Integer code) {
        if (code != null && !isExitCode(code)) {
            throw CliException.usage(option + " is " + code + ", but an exit code is from 0 to " + HIGHEST_EXIT_CODE);
        }
    }

    /** Returns the longest time to hold; empty for as long as it takes. */
    Optional<Duration> maxHold() {
        return Optional.ofNullable(maxHold);
    }

    /** Returns how this process is a client. */
    BelayOptions belayOptions() {
        // What takes long here is the user's command.
        return BelayOptions.defaults()
                .withClientName(verb())
                .withSlowWait(Duration.ZERO)
                .withLongHold(Duration.ZERO);
    }

    private static String text(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
