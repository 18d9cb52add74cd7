package io.belay.trials;

import io.belay.servers.EtcdServer;
import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.RedisServer;
import io.belay.trials.check.Checks;
import io.belay.trials.check.Violation;
import io.belay.trials.client.Workloads;
import io.belay.trials.fault.Builds;
import io.belay.trials.fault.Fault;
import io.belay.trials.fault.Plan;
import io.belay.trials.fault.Sites;
import io.belay.trials.fault.Trial;
import io.belay.trials.history.History;
import io.belay.trials.library.Libraries;
import io.belay.trials.plant.Plant;
import io.belay.trials.report.Figures;
import io.belay.trials.report.Timeline;
import io.belay.trials.report.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import tools.jackson.databind.json.JsonMapper;

/** The entry point of {@code trials/run}. */
@Command(
        name = "trials/run",
        description = {
            "Lets five processes work under locks while things go wrong, and judges what happened.",
            "",
            "The histories are kept in a directory of each trial's own, which is named at the end.",
            ""
        },
        sortOptions = false)
public final class Main implements Callable<Integer> {
    private static final int BROKEN = 1;
    private static final int USAGE = 2;
    private static final int NO_BITE = 4;
    private static final int SEEDS = 1_000_000;
    private static final int LEAST_SECONDS = 5;
    private static final int DRAWINGS = 3;
    private static final String LIST = "list";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--store", paramLabel = "STORE", description = "The store; ${DEFAULT-VALUE} if not given.")
    private String store = "redis";

    @Option(names = "--fault", paramLabel = "FAULT", description = "What goes wrong; ${DEFAULT-VALUE} if not given.")
    private String fault = "pause";

    @Option(
            names = "--workload",
            paramLabel = "WORK",
            description = "What the clients do; ${DEFAULT-VALUE} if not given.")
    private String workload = "guarded";

    @Option(names = "--seconds", paramLabel = "N", description = "For how long; ${DEFAULT-VALUE} if not given.")
    private int seconds = 20;

    @Option(names = "--seed", paramLabel = "N", description = "What the faults are drawn from; any if not given.")
    private @Nullable Long seed;

    @Option(
            names = "--library",
            paramLabel = "LIB",
            description = "Whose locks; ${DEFAULT-VALUE} if not given; 'list' names them.")
    private String library = Libraries.BELAY;

    @Option(
            names = "--plant",
            paramLabel = "BUG",
            description = "A bug to plant in Belay, which must be found; 'list' names them.")
    private String plant = Plant.NONE.title();

    @Option(
            names = "--beside",
            paramLabel = "DIR",
            description =
                    "The jars of another build of Belay, which every second client runs; scripts/jars-of makes them.")
    private @Nullable Path beside;

    @Option(names = "--row", description = "Prints the figures as a row of a table in Markdown.")
    private boolean row;

    @Option(names = "--json", description = "Prints the figures as JSON.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    private boolean help;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(command(), args));
    }

    /** Runs it, and returns the exit code: of an {@code Error}, which picocli does not catch, Java's own is that of a broken promise. */
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
        return command.setExpandAtFiles(false).setExecutionExceptionHandler((e, failed, parsed) -> fail(e));
    }

    private static int fail(Throwable e) {
        System.err.println("trials: " + e);
        if (System.getenv("BELAY_DEBUG") != null) {
            e.printStackTrace();
        }
        return USAGE;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (library.equals(LIST)) {
            lines(Libraries.all()).forEach(System.out::println);
            return 0;
        }
        if (plant.equals(LIST)) {
            plants().forEach(System.out::println);
            return 0;
        }
        Plan plan = plan();
        System.err.println("trials: " + plan.library() + " on " + plan.store() + ", " + plan.workload() + " under "
                + plan.fault().title() + " for " + plan.seconds() + " s, seed " + plan.seed());
        Trial.Outcome outcome = new Trial(plan, builds(), System.err).run();
        History history = History.read(plan.directory());
        List<Violation> violations = Checks.all(history, plan.promises());
        Figures figures = Figures.of(
                plan,
                history,
                violations,
                outcome.strikes(),
                !outcome.troubles().isEmpty());
        Words.of(figures, history, violations, outcome.troubles()).forEach(line -> System.err.println("    " + line));
        for (int i = 0; i < Math.min(DRAWINGS, violations.size()); i++) {
            Path drawing = plan.directory().resolve("violation-" + (i + 1) + ".svg");
            Timeline.draw(history, violations.get(i), plan.lease(), drawing);
            System.err.println("    drawing: " + drawing);
        }
        boolean shown = beside == null || besideEachOther(history);
        System.err.println("    histories: " + plan.directory());
        if (row) {
            System.out.println(figures.row());
        }
        if (json) {
            System.out.println(JsonMapper.builder()
                    .build()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(figures));
        }
        return switch (figures.verdict()) {
            case HELD -> shown ? 0 : NO_BITE;
            case BROKEN -> BROKEN;
            case NO_BITE -> NO_BITE;
        };
    }

    private Builds builds() {
        try {
            return beside == null ? Builds.one() : Builds.two(beside);
        } catch (IOException e) {
            throw usage("--beside: "
                    + (e instanceof NoSuchFileException ? "there is no directory " + beside : e.getMessage()));
        }
    }

    /** Tells how often locks went from one build to the other; returns whether they went both ways. */
    private static boolean besideEachOther(History history) {
        List<Integer> handOvers = Builds.handOvers(history);
        System.err.println("    hand-overs to the other build " + handOvers.get(0) + ", back " + handOvers.get(1));
        return !handOvers.contains(0);
    }

    private Plan plan() throws IOException {
        known("store", store, Sites.all().keySet());
        known("fault", fault, Fault.titles());
        known("workload", workload, Workloads.all().keySet());
        known("library", library, Libraries.all().keySet());
        known("plant", plant, Stream.of(Plant.values()).map(Plant::title).toList());
        Fault chosen = Fault.of(fault).orElseThrow();
        if (!chosen.fits(store)) {
            throw usage("--fault " + fault + " can do nothing to --store " + store + "; what can is "
                    + String.join(", ", Fault.titles(store)));
        }
        needs("etcd", EtcdServer.isInstalled(), "the program etcd in the PATH", "etcd-server");
        needs("postgresql", PostgresServer.isInstalled(), "the programs of PostgreSQL", "postgresql");
        needs("mariadb", MariaDbServer.isInstalled(), "the programs of MariaDB", "mariadb-server");
        if (store.equals("mysql") && !MySqlServer.isInstalled()) {
            throw usage("--store mysql: " + MySqlServer.whyNot());
        }
        if (chosen.setsClock() && !RedisServer.canSetClock()) {
            throw usage("--fault " + fault + " needs the library that shows a server another clock; on Debian:"
                    + " apt-get install faketime");
        }
        if (chosen == Fault.FULL && store.equals("file") && !"root".equals(System.getProperty("user.name"))) {
            throw usage("--fault full on --store file mounts a small file system, which is for root");
        }
        if (chosen.forgets(store) && workload.equals("permits")) {
            throw usage("--fault " + fault + " on " + store
                    + " lets holds overlap, and which of two permits came later nobody can tell:"
                    + " use another --workload");
        }
        if (store.equals("quorum") && List.of("rw", "permits", "order").contains(workload)) {
            throw usage("a quorum has exclusive locks alone, and no order: --workload " + workload
                    + " needs another store");
        }
        if (workload.equals("storm")
                && List.of("postgresql", "mariadb", "mysql").contains(store)) {
            throw usage("--store " + store + " does not take a hundred clients: --workload storm needs another store");
        }
        if (!library.equals(Libraries.BELAY)) {
            onlyForBelay();
        }
        if (seconds < LEAST_SECONDS) {
            throw usage("--seconds must be at least " + LEAST_SECONDS);
        }
        long drawn = seed == null ? ThreadLocalRandom.current().nextInt(SEEDS) : seed;
        Path parent = Files.createDirectories(
                Path.of(System.getProperty("belay.root", ".")).resolve("trials/target/histories"));
        Path directory = Files.createTempDirectory(
                parent, String.join("-", store, fault, workload, library, Long.toString(drawn)) + "-");
        return new Plan(store, chosen, workload, library, Plant.of(plant).orElseThrow(), seconds, drawn, directory);
    }

    private void needs(String needy, boolean installed, String what, String debian) {
        if (store.equals(needy) && !installed) {
            throw usage("--store " + needy + " needs " + what + "; on Debian: apt-get install " + debian);
        }
    }

    private void onlyForBelay() {
        if (!store.equals(Libraries.storeOf(library))) {
            throw usage(library + " has no store '" + store + "': use --store " + Libraries.storeOf(library));
        }
        if (!List.of("mutex", "counter").contains(workload)) {
            throw usage(library + " cannot do '" + workload + "': use --workload mutex or counter");
        }
        if (!plant.equals(Plant.NONE.title())) {
            throw usage("bugs are planted in belay only");
        }
    }

    private void known(String what, String name, Collection<String> known) {
        if (!known.contains(name)) {
            throw usage("no " + what + " '" + name + "'; there are: " + String.join(", ", known));
        }
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static Stream<String> plants() {
        return Stream.of(Plant.values())
                .filter(one -> one != Plant.NONE)
                .map(one -> String.format("  %-18s %s; see it with %s", one.title(), one.description(), one.where()));
    }

    private static Stream<String> lines(Map<String, String> named) {
        return named.entrySet().stream().map(one -> String.format("  %-22s %s", one.getKey(), one.getValue()));
    }

    private static String[] footer() {
        return Stream.of(
                        Stream.of("", "Stores:"),
                        lines(Sites.all()),
                        Stream.of("", "Faults:"),
                        Stream.of(Fault.values())
                                .map(one -> String.format("  %-22s %s", one.title(), one.description())),
                        Stream.of("", "Workloads:"),
                        lines(Workloads.all()),
                        Stream.of(
                                "",
                                "Exit codes: 0 everything held; 1 a promise was broken; 2 wrong usage; 4 the faults did"
                                        + " no harm, so nothing was shown."))
                .flatMap(part -> part)
                .toArray(String[]::new);
    }
}
