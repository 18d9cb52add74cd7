package io.belay.bench;

import io.belay.bench.cases.Case;
import io.belay.bench.cases.Cases;
import io.belay.bench.library.Checkout;
import io.belay.bench.library.Libraries;
import io.belay.bench.library.Library;
import io.belay.bench.library.OtherBuildLibrary;
import io.belay.bench.report.JsonReport;
import io.belay.bench.report.Outcome;
import io.belay.bench.report.Pages;
import io.belay.bench.store.Store;
import io.belay.bench.store.StoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The entry point of {@code bench/run}. */
@Command(
        name = "bench/run",
        description = {
            "Measures Belay beside its peers, in turn, on a server of its own.",
            "",
            "Without arguments it measures everything that there is on Redis, in 40 minutes or so, and writes"
                    + " docs/benchmarks.md; with --store etcd, zookeeper, postgresql or mariadb what there is on these, in"
                    + " some twenty minutes, and writes docs/benchmarks-STORE.md; with --store memory the client alone, without a"
                    + " server. What is shorter than that, or not all,"
                    + " goes to bench/target/report. 'bench/run list' tells which cases there are, and which libraries"
                    + " take part in each.",
            ""
        },
        sortOptions = false)
public final class Main implements Callable<Integer> {
    private static final int FELL_SHORT = 1;
    private static final int USAGE = 2;
    private static final int BROKEN = 3;

    /** The least rounds on which a page that is checked in should rest. */
    private static final int ROUNDS_FOR_DOCS = 5;

    private static final int SECONDS_FOR_DOCS = 3;
    private static final String LIST = "list";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "CASE", description = "The cases to measure; all if none is named.")
    private List<String> cases = List.of();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "What to measure on: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} if not given.")
    private Store store = Store.REDIS;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes every round as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds of each library in each case; ${DEFAULT-VALUE} if not given.")
    private int rounds = Plan.ROUNDS;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long a round measures; ${DEFAULT-VALUE} if not given.")
    private int seconds = Plan.SECONDS;

    @Option(
            names = "--library",
            paramLabel = "A,B",
            split = ",",
            description = "The libraries to measure, where a case has them; all if none is named.")
    private List<String> libraries = List.of();

    @Option(
            names = "--against",
            paramLabel = "DIRECTORY",
            description = {
                "Measures another build of Belay in turn with this one, and tells how far this one is behind in each case."
                        + " DIRECTORY is a checkout of another commit, such as 'git worktree add ../base COMMIT' makes;"
                        + " bench/run builds it. In the report 'belay-other' is 'belay' with the jars of that build."
                        + " Belay alone takes part, in all its settings, unless --library says which."
            })
    private @Nullable Path against;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    private boolean help;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(command(), args));
    }

    /** Runs it, and returns the exit code: of an {@code Error}, which picocli does not catch, Java's own is that of a failed library. */
    static int run(CommandLine command, String... args) {
        try {
            return command.execute(args);
        } catch (Error e) {
            return fail(e);
        }
    }

    static CommandLine command() {
        CommandLine command = new CommandLine(new Main());
        command.getCommandSpec().usageMessage().footer(footer());
        return command.setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((e, failed, parsed) -> fail(e));
    }

    private static int fail(Throwable e) {
        System.err.println("bench: " + e);
        if (System.getenv("BELAY_DEBUG") != null) {
            e.printStackTrace();
        }
        return USAGE;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (cases.equals(List.of(LIST))) {
            System.out.println(list());
            return 0;
        }
        Plan plan = plan();
        if (json != null) {
            // Before the run, not after all of it.
            Files.writeString(json, "");
        }
        Path directory = Files.createTempDirectory("belay-bench-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory), "bench-cleanup"));
        Outcome outcome;
        try (StoreServer server = store.start()) {
            outcome = new Bench(plan, server, directory, System.err).run();
        }
        Path page = Pages.write(outcome, directoryOfPages(plan));
        if (json != null) {
            Files.writeString(json, JsonReport.of(outcome));
        }
        outcome.comparisons().forEach(comparison -> System.out.println(comparison.verdict()));
        System.out.println("written: " + page + (json == null ? "" : ", " + json));
        if (outcome.violations() > 0) {
            return BROKEN;
        }
        return outcome.failed() ? FELL_SHORT : 0;
    }

    /** Returns the plan that the user asked for. */
    Plan plan() {
        if (rounds < 1 || seconds < 1) {
            throw usage("--rounds and --seconds must be at least 1");
        }
        return new Plan(
                store,
                cases.isEmpty()
                        ? Cases.all(store)
                        : cases.stream().map(this::find).toList(),
                against == null ? named() : withOther(new Checkout(against)),
                rounds,
                Duration.ofSeconds(seconds));
    }

    private List<Library> named() {
        return libraries.isEmpty()
                ? Libraries.all(store)
                : libraries.stream().map(this::findLibrary).toList();
    }

    /** Returns each of Belay's settings with the other build's behind it, and those peers that the user named. */
    private List<Library> withOther(Checkout other) {
        if (!other.isBuilt()) {
            throw usage("--against: no built checkout of Belay at " + other.root());
        }
        List<Library> both = named().stream()
                .filter(library -> library.ours() || !libraries.isEmpty())
                .flatMap(library ->
                        library.ours() ? Stream.of(library, new OtherBuildLibrary(library, other)) : Stream.of(library))
                .toList();
        if (both.stream().noneMatch(Library::ours)) {
            throw usage("--against compares Belay with Belay, but --library names none of its settings");
        }
        return both;
    }

    private Case find(String name) {
        Case found = Cases.find(name).orElseThrow(() -> usage("no case '" + name + "'; see bench/run list"));
        if (!found.stores().contains(store)) {
            throw usage("case '" + name + "' is not measured on " + store + "; see bench/run list");
        }
        return found;
    }

    private Library findLibrary(String name) {
        return Libraries.find(store, name)
                .orElseThrow(() -> usage("no library '" + name + "' on " + store + "; see bench/run list"));
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Returns where the pages go: a whole run, and no other, takes the place of those that are checked in. */
    private Path directoryOfPages(Plan plan) {
        Path root = Path.of(System.getProperty("belay.root", "."));
        boolean whole = cases.isEmpty()
                && libraries.isEmpty()
                && against == null
                && plan.rounds() >= ROUNDS_FOR_DOCS
                && seconds >= SECONDS_FOR_DOCS;
        return whole ? root.resolve("docs") : root.resolve("bench/target/report");
    }

    private static String[] footer() {
        Stream<String> cases =
                Cases.all().stream().map(task -> String.format("  %-14s %s", task.name(), task.description()));
        return Stream.of(
                        Stream.of("", "Cases:"),
                        cases,
                        Stream.of(
                                "",
                                "Exit codes: 0 measured; 1 a library failed; 2 usage or environment; 3 exclusion was"
                                        + " broken."))
                .flatMap(lines -> lines)
                .toArray(String[]::new);
    }

    private static String list() {
        return Cases.all().stream()
                .map(task -> String.format("%-14s %s%n%s", task.name(), task.description(), libraries(task)))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the libraries of a case, in a line for each store. */
    private static String libraries(Case task) {
        return task.stores().stream()
                .sorted()
                .map(on -> String.format(
                        "%-14s %s: %s",
                        "",
                        on,
                        Plan.of(task, Libraries.all(on)).map(Library::name).collect(Collectors.joining(", "))))
                .collect(Collectors.joining("\n"));
    }

    private static void delete(Path directory) {
        try (Stream<Path> walk = Files.walk(directory)) {
            // What is in a directory goes before it.
            for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("bench: " + directory + " could not be removed: " + e.getMessage());
        }
    }
}
