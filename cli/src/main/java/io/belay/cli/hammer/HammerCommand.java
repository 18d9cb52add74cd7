package io.belay.cli.hammer;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.cli.process.Cleanup;
import io.belay.cli.text.CliException;
import io.belay.cli.text.DurationConverter;
import io.belay.cli.text.LockNameConverter;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.Version;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay hammer}, which measures one lock. */
@Command(
        name = "hammer",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        showDefaultValues = true,
        footer = {
            "",
            "The URL may hold $${NAME} for an environment variable.",
            "Exit codes: 0 measured; 1 a process failed, or none had the lock; 2 usage or environment; 3 exclusion was broken."
        })
public final class HammerCommand implements Callable<Integer> {
    private static final int MOST_PROCESSES = 64;
    private static final int MOST_THREADS = 1_000;
    private static final int MOST_SECONDS = 3_600;

    @Parameters(
            paramLabel = "NAME",
            converter = LockNameConverter.class,
            description = "The lock's full name.",
            showDefaultValue = Help.Visibility.NEVER)
    private String name = "";

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--processes", paramLabel = "N", description = "Processes.")
    private int processes = 3;

    @Option(names = "--threads", paramLabel = "N", description = "Threads in each process.")
    private int threads = 8;

    @Option(names = "--seconds", paramLabel = "N", description = "How long to measure.")
    private int seconds = 5;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "The lock's lease.")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--slice",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "2ms",
            description = "For how long a process hands the lock on among its own threads.")
    private Duration slice = Duration.ZERO;

    @Option(names = "--strict", description = "Serves all threads of all processes exactly in the order they ask in.")
    private boolean strict;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        range("--processes", processes, MOST_PROCESSES);
        range("--threads", threads, MOST_THREADS);
        range("--seconds", seconds, MOST_SECONDS);
        String url = store.sharedUrl();
        HammerPlan plan = new HammerPlan(name, url, processes, threads, seconds, lease, slice, strict);
        // Shows what is wrong before any process is started.
        BelayAdmin.prepare(url);
        try (Belay belay = Belay.connect(url)) {
            belay.lock(name, plan.lockOptions());
        }
        try (Cleanup cleanup = new Cleanup()) {
            HammerResult result = new Hammer(plan, store.drivers(), cleanup).run();
            new HammerReport(plan, result).print(json);
            if (result.violations() > 0) {
                return CliException.OVERSOLD;
            }
            return result.isEmpty() ? CliException.FELL_SHORT : 0;
        }
    }

    private static void range(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw CliException.usage(option + " is " + value + ", but must be from 1 to " + most);
        }
    }
}
