package io.belay.trials.registry;

import io.belay.trials.jsr166.TestCompiler;
import io.belay.trials.jsr166.TestStore;
import io.belay.trials.registry.adapter.Clients;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The entry point of {@code trials/registry}. */
@Command(
        name = "trials/registry",
        description = {
            "Runs Spring Integration's own tests of its lock registries on BelayLockRegistry.",
            "",
            "DIRECTORY holds Spring Integration's sources, or those of its tests that are wanted, at any depth.",
            "They are read only. What is made of them lies in trials/target/registry.",
            ""
        },
        sortOptions = false)
public final class RegistryMain implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    /** Without the listeners that tests of Belay's own have. */
    private static final LauncherConfig QUIET = LauncherConfig.builder()
            .enableLauncherSessionListenerAutoRegistration(false)
            .enableTestExecutionListenerAutoRegistration(false)
            .build();

    private static final List<String> STORES = List.of("memory", "file", "redis");

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            split = ",",
            description = "The stores: memory, file, redis; all of them if not given.")
    private List<String> stores = new ArrayList<>(STORES);

    @Option(names = "--declared", description = "Prints which tests are declared to fail, and why.")
    private boolean declared;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    private boolean help;

    @Parameters(index = "0", arity = "0..1", paramLabel = "DIRECTORY", description = "The sources of the tests.")
    private @Nullable Path directory;

    @Parameters(
            index = "1..*",
            paramLabel = "TEST",
            description =
                    "The tests, as ZkLockRegistryTests or ZkLockRegistryTests.testLock; all that are there if not given.")
    private List<String> tests = new ArrayList<>();

    private RegistryMain() {}

    public static void main(String[] args) {
        System.exit(command().execute(args));
    }

    static CommandLine command() {
        CommandLine command = new CommandLine(new RegistryMain());
        command.getCommandSpec()
                .usageMessage()
                .footer(
                        "",
                        "Tests: " + String.join(", ", SpringTest.titles()),
                        "Exit codes: 0 all passed but those that are declared to fail; 1 another one failed, or a declared one"
                                + " passes; 2 wrong usage.");
        command.setParameterExceptionHandler((e, arguments) -> {
            e.getCommandLine().getErr().println("trials/registry: " + e.getMessage() + "; --help tells more");
            return USAGE;
        });
        return command.setExpandAtFiles(false).setExecutionExceptionHandler((e, failed, parsed) -> {
            failed.getErr().println("trials/registry: " + e.getMessage());
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
            throw usage("which DIRECTORY holds the sources of Spring Integration's tests?");
        }
        stores.stream().filter(store -> !STORES.contains(store)).findFirst().ifPresent(store -> {
            throw usage("no store '" + store + "'; there are: " + String.join(", ", STORES));
        });
        Path work = Path.of(System.getProperty("belay.root", "."))
                .resolve("trials/target/registry")
                .toAbsolutePath();
        Map<SpringTest, Path> sources = new EnumMap<>(SpringTest.class);
        Map<SpringTest, Set<String>> chosen = chosen(directory, sources);
        for (Map.Entry<SpringTest, Path> source : sources.entrySet()) {
            String title = source.getKey().title();
            TestCompiler.compile(
                    List.of(SpringSources.copy(
                            source.getValue(), work.resolve("sources").resolve(title))),
                    work.resolve("classes").resolve(title));
        }
        boolean clean = true;
        for (String store : stores) {
            try (TestStore opened = TestStore.open(store)) {
                for (Map.Entry<SpringTest, Set<String>> one : chosen.entrySet()) {
                    Clients.use(opened.url());
                    Outcomes outcomes = run(one.getKey(), one.getValue(), work.resolve("classes"));
                    System.out.printf(
                            "%-7s %-37s %d passed, %d declared, %d FAILED%n",
                            store,
                            one.getKey().title(),
                            outcomes.passed(),
                            outcomes.declared(),
                            outcomes.failures().size());
                    outcomes.failures().forEach(line -> System.out.println("  " + line));
                    clean &= outcomes.failures().isEmpty();
                }
            }
        }
        return clean ? 0 : FAILED;
    }

    /** Finds the tests that are named, or all that are there, with the methods; none means all. */
    private Map<SpringTest, Set<String>> chosen(Path from, Map<SpringTest, Path> sources) throws IOException {
        Map<SpringTest, Set<String>> chosen = new EnumMap<>(SpringTest.class);
        try {
            for (String name : tests.isEmpty() ? SpringTest.titles() : tests) {
                String[] parts = name.split("\\.", 2);
                SpringTest test = SpringTest.of(parts[0])
                        .orElseThrow(() ->
                                usage("no test '" + name + "'; there are: " + String.join(", ", SpringTest.titles())));
                Path source = SpringSources.in(from).find(test).orElse(null);
                if (source != null) {
                    sources.put(test, source);
                    Set<String> methods = chosen.computeIfAbsent(test, key -> new TreeSet<>());
                    if (parts.length > 1) {
                        methods.add(parts[1]);
                    }
                } else if (!tests.isEmpty()) {
                    throw usage(from + " does not hold " + test.title() + ".java");
                }
            }
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        if (chosen.isEmpty()) {
            throw usage(from + " holds none of " + String.join(", ", SpringTest.titles()));
        }
        return chosen;
    }

    /** Runs the tests in this process; one that does not end is interrupted after a minute, or after what is set. */
    private static Outcomes run(SpringTest test, Set<String> methods, Path classes) throws IOException {
        URL[] path = {classes.resolve(test.title()).toUri().toURL()};
        Outcomes outcomes = new Outcomes(test);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(path, RegistryMain.class.getClassLoader())) {
            thread.setContextClassLoader(loader);
            Class<?> loaded = loader.loadClass(test.className());
            List<DiscoverySelector> selectors = new ArrayList<>();
            Set<String> known = new TreeSet<>();
            for (var method : loaded.getDeclaredMethods()) {
                if (methods.isEmpty() || (methods.contains(method.getName()) && known.add(method.getName()))) {
                    selectors.add(
                            methods.isEmpty()
                                    ? DiscoverySelectors.selectClass(loaded)
                                    : DiscoverySelectors.selectMethod(loaded, method));
                }
            }
            LauncherFactory.create(QUIET)
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectors)
                                    .configurationParameter(
                                            "junit.jupiter.execution.timeout.default",
                                            System.getProperty("belay.registry.timeout", "60 s"))
                                    .configurationParameter(
                                            "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                                    .build(),
                            outcomes);
        } catch (ClassNotFoundException e) {
            throw new IOException(test.title() + " is not of the package of " + test.className(), e);
        } finally {
            thread.setContextClassLoader(before);
        }
        return outcomes;
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
