package io.belay.trials.fence;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The entry point of {@code trials/fences}. */
@Command(
        name = "trials/fences",
        description = {
            "Stops holders of a lock before they write, until their successors are done, and counts what is lost:",
            "without the guard of the data, and with it. Prints a table in Markdown.",
            "",
            "It ends with 1 if a guard lost an update, and with 4 if nothing was lost without one."
        },
        sortOptions = false)
public final class FencesMain implements Callable<Integer> {
    /** What Tomcat logs by; kept, as a logger that nobody keeps forgets its level. */
    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    private static final int LOST = 1;
    private static final int USAGE = 2;
    private static final int NO_BITE = 4;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "How many; ${DEFAULT-VALUE} if not given.")
    private int rounds = 20;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    private boolean help;

    @Parameters(paramLabel = "GUARD", arity = "0..*", description = "Which are tried; all if none is named.")
    private List<String> names = new ArrayList<>();

    private FencesMain() {}

    public static void main(String[] args) {
        System.exit(run(command(), args));
    }

    /** Runs it, and returns the exit code: of an {@code Error}, which picocli does not catch, Java's own is that of a lost update. */
    static int run(CommandLine command, String... args) {
        try {
            return command.execute(args);
        } catch (Error e) {
            return fail(command, e);
        }
    }

    static CommandLine command() {
        return new CommandLine(new FencesMain()).setExecutionExceptionHandler((e, failed, parsed) -> fail(failed, e));
    }

    private static int fail(CommandLine command, Throwable e) {
        command.getErr().println("trials/fences: " + e);
        return USAGE;
    }

    @Override
    public Integer call() throws Exception {
        if (rounds < 1) {
            throw usage("--rounds must be at least 1");
        }
        TOMCAT.setLevel(Level.SEVERE);
        PrintWriter out = spec.commandLine().getOut();
        out.println("| guard | rounds | lost without it | lost with it | refused |");
        out.println("|---|---|---|---|---|");
        int exit = 0;
        for (Guard guard : guards()) {
            Rounds.Outcome without = play(guard, false);
            Rounds.Outcome with = play(guard, true);
            out.println("| " + guard.title() + " | " + rounds + " | " + without.lost() + " | " + with.lost() + " | "
                    + with.refused() + " |");
            out.flush();
            if (guard.holds() && with.lost() > 0) {
                exit = LOST;
            } else if (without.lost() == 0 && exit == 0) {
                exit = NO_BITE;
            }
        }
        return exit;
    }

    private Rounds.Outcome play(Guard guard, boolean guarded) throws Exception {
        Path parent = Path.of(System.getProperty("belay.root", "."))
                .resolve("trials/target/fences")
                .toAbsolutePath();
        Files.createDirectories(parent);
        return Rounds.play(guard, Files.createTempDirectory(parent, guard.id() + "-"), rounds, guarded);
    }

    private List<Guard> guards() {
        List<Guard> guards = new ArrayList<>();
        for (String name : names) {
            Guard guard = Guard.of(name)
                    .orElseThrow(() -> usage("no guard '" + name + "'; there are: "
                            + Arrays.stream(Guard.values()).map(Guard::id).collect(Collectors.joining(", "))));
            if (guard.lacks() != null) {
                throw usage(name + " needs " + guard.lacks());
            }
            guards.add(guard);
        }
        if (guards.isEmpty()) {
            for (Guard guard : Guard.values()) {
                if (guard.lacks() == null) {
                    guards.add(guard);
                } else {
                    spec.commandLine()
                            .getErr()
                            .println("trials/fences: " + guard.id() + " is left out: it needs " + guard.lacks());
                }
            }
        }
        return guards;
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
