package io.belay.trials.jsr166;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The entry point of {@code trials/jsr166}. */
@Command(
        name = "trials/jsr166",
        description = {
            "Runs the JDK's own tests of locks, semaphores and latches on Belay's.",
            "",
            "DIRECTORY holds the unpacked sources of a JDK, 17 or later; on Debian: apt-get source openjdk-17.",
            "They are read only. What is made of them lies in trials/target/jsr166, with the logs.",
            ""
        },
        sortOptions = false)
public final class Jsr166Main implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            split = ",",
            description = "The stores, as memory,file; all that this machine has if not given.")
    private List<String> stores = new ArrayList<>();

    @Option(
            names = "--with",
            paramLabel = "WAY",
            split = ",",
            description = {
                "The ways to use the locks, as default,two-clients.",
                "If not given, default on each store, and the others on memory and redis, if these are among them."
            })
    private List<String> ways = new ArrayList<>();

    @Option(names = "--declared", description = "Prints which tests are declared to fail, and why.")
    private boolean declared;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    private boolean help;

    @Parameters(index = "0", arity = "0..1", paramLabel = "DIRECTORY", description = "The sources of the JDK.")
    private @Nullable Path directory;

    @Parameters(
            index = "1..*",
            paramLabel = "TEST",
            description = "The tests, as SemaphoreTest or SemaphoreTest.testToString; all if not given.")
    private List<String> tests = new ArrayList<>();

    private Jsr166Main() {}

    public static void main(String[] args) {
        System.exit(command().execute(args));
    }

    static CommandLine command() {
        CommandLine command = new CommandLine(new Jsr166Main());
        command.getCommandSpec().usageMessage().footer(footer());
        command.setParameterExceptionHandler((e, arguments) -> {
            e.getCommandLine().getErr().println("trials/jsr166: " + e.getMessage() + "; --help tells more");
            return USAGE;
        });
        return command.setExpandAtFiles(false).setExecutionExceptionHandler((e, failed, parsed) -> {
            System.err.println("trials/jsr166: " + e.getMessage());
            if (System.getenv("BELAY_DEBUG") != null) {
                e.printStackTrace();
            }
            return USAGE;
        });
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (declared) {
            for (Difference difference : Difference.values()) {
                System.out.println(difference.reason());
                difference.tests().forEach(test -> System.out.println("    " + test));
            }
            return 0;
        }
        if (directory == null) {
            throw usage("which DIRECTORY holds the sources of a JDK?");
        }
        Settings settings;
        Selection selection;
        JdkSources sources;
        try {
            settings = Settings.of(stores, ways);
            selection = Selection.of(tests);
            sources = JdkSources.in(directory);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        Set<JdkTest> classes = selection.methods().keySet();
        if (settings.all().stream().noneMatch(one -> classes.stream().anyMatch(one.way()::matters))) {
            throw usage("nothing to run: permits and latches know neither barging nor stickiness");
        }
        settings.skipped().forEach(Jsr166Main::say);
        return run(settings, selection, sources);
    }

    private int run(Settings settings, Selection selection, JdkSources sources)
            throws IOException, InterruptedException {
        Path work = Path.of(System.getProperty("belay.root", "."))
                .resolve("trials/target/jsr166")
                .toAbsolutePath();
        Path logs = Files.createDirectories(work.resolve("logs"));
        say("compiling " + selection.methods().size() + " tests of " + directory);
        for (JdkTest test : selection.methods().keySet()) {
            TestCompiler.compile(
                    sources.copy(test, work.resolve("sources").resolve(test.title())), classes(work, test));
        }
        Report report = new Report();
        for (Setting setting : settings.all()) {
            try (TestStore store = TestStore.open(setting.store())) {
                for (Map.Entry<JdkTest, Set<String>> entry : selection.methods().entrySet()) {
                    JdkTest test = entry.getKey();
                    if (setting.way().matters(test)) {
                        Path log = logs.resolve(setting.fileName() + "-" + test.title() + ".log");
                        TestRun.of(test, setting, store.url(), classes(work, test), entry.getValue(), log)
                                .forEach(outcome -> report.add(setting, outcome));
                        say(report.line(setting, test));
                    }
                }
            }
        }
        settings.all().stream()
                .flatMap(setting -> report.lines(setting).stream())
                .forEach(System.out::println);
        say("logs: " + logs);
        return report.isClean() ? 0 : FAILED;
    }

    private static Path classes(Path work, JdkTest test) {
        return work.resolve("classes").resolve(test.title());
    }

    private static void say(String message) {
        System.err.println("trials/jsr166: " + message);
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static String[] footer() {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "Tests: " + String.join(", ", JdkTest.titles()),
                "Stores: " + String.join(", ", TestStore.NAMES),
                "Ways:"));
        for (Way way : Way.values()) {
            lines.add(String.format("  %-20s%s", way.title(), way.words()));
        }
        lines.add("");
        lines.add(
                "Exit codes: 0 all passed but those that are declared to fail; 1 another one failed, or a declared one"
                        + " passes; 2 wrong usage.");
        return lines.toArray(String[]::new);
    }
}
