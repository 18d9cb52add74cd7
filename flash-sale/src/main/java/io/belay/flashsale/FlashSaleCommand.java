package io.belay.flashsale;

import io.belay.cli.process.OpenFiles;
import io.belay.cli.text.CliException;
import io.belay.cli.text.DurationConverter;
import io.belay.cli.text.UrlOptions;
import io.belay.cli.text.Version;
import io.belay.shop.ShopSettings;
import io.belay.shop.ShopSettings.Strategy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code belay flash-sale}, which reads and checks the options. */
@Command(
        name = "flash-sale",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        showDefaultValues = true,
        footer = {
            "",
            "URLs may hold $${NAME} for an environment variable.",
            "Exit codes: 0 all sold, none twice, no order failed; 1 fell short; 2 usage or environment; 3 oversold."
        })
public final class FlashSaleCommand implements Callable<Integer> {
    private static final int MOST_NODES = 50;
    private static final int MOST_CLIENTS = 10_000;
    static final int MOST_UNITS = 100_000_000;
    private static final int DEFAULT_SEGMENTS = 20;
    private static final Duration WORK = Duration.ofMillis(2);
    private static final Duration WATCHED_WORK = Duration.ofMillis(150);

    enum Switch {
        ON,
        OFF;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "Where the locks are. Default: file: in a temporary directory.")
    private @Nullable String store;

    @Option(names = "--store-file", paramLabel = "FILE", description = "Reads the store's URL from a file.")
    private @Nullable Path storeFile;

    @Option(
            names = "--ledger",
            paramLabel = "URL",
            description = "The ledger: jdbc:sqlite:, jdbc:postgresql:, jdbc:mysql: or jdbc:mariadb:."
                    + " Default: a SQLite file in a temporary directory.")
    private @Nullable String ledger;

    @Option(names = "--ledger-file", paramLabel = "FILE", description = "Reads the ledger's URL from a file.")
    private @Nullable Path ledgerFile;

    @Option(
            names = "--sku",
            paramLabel = "NAME",
            description = "What to sell. Default: item, or a name of its own with --store.")
    private @Nullable String sku;

    @Option(
            names = "--strategy",
            paramLabel = "lock|striped|batch|none",
            description = "What stands between two buyers: a lock; a lock on each of the stock's segments; a lock under"
                    + " which a node serves all who wait; or nothing.")
    private Strategy strategy = Strategy.LOCK;

    @Option(
            names = "--segments",
            paramLabel = "N",
            description = "Segments of the stock, for --strategy striped. Default: 20.")
    private @Nullable Integer segments;

    @Option(
            names = "--guard",
            paramLabel = "on|off",
            description = "Whether the ledger refuses a holder whose lock has gone to another.")
    private Switch guard = Switch.ON;

    @Option(names = "--nodes", paramLabel = "N", description = "Shop nodes.")
    private int nodes = 3;

    @Option(names = "--clients", paramLabel = "N", description = "Clients that order at once.")
    private int clients = 50;

    @Option(names = "--stock", paramLabel = "N", description = "Units to sell.")
    private int stock = 1_000;

    @Option(names = "--orders", paramLabel = "N", description = "Orders to place; 0 only with --keep.")
    private int orders = 5_000;

    @Option(
            names = "--work",
            paramLabel = "TIME",
            converter = DurationConverter.OrZero.class,
            description = "What a sale takes between reading the stock and writing it back. Default: 2ms, and 150ms"
                    + " with --page.")
    private @Nullable Duration work;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "For how long the lock stays taken when its holder dies; at least 100ms.")
    private Duration lease = Duration.ZERO;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "60s",
            description = "For how long an order waits for the lock.")
    private Duration longestWait = Duration.ZERO;

    @Option(
            names = "--kill-a-node-after",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Kills a node, if possible while it holds the lock, after selling for this long.")
    private @Nullable Duration killAfter;

    @Option(
            names = "--pause-a-node-after",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Stops the node that holds the lock, after selling for this long, until another"
                    + " has had it for a second; try it with --guard off.")
    private @Nullable Duration pauseAfter;

    @Option(names = "--keep", description = "Prints the addresses and stays until SIGINT or SIGTERM.")
    private boolean keep;

    @Option(
            names = "--page",
            description =
                    "Serves a live page of the locks beside the sale, slowly enough to watch; begins when somebody"
                            + " looks.")
    private boolean page;

    @Option(names = "--json", description = "Prints the report as one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        return new FlashSale(plan()).run();
    }

    private SalePlan plan() {
        range("--nodes", nodes, 1, MOST_NODES);
        range("--clients", clients, 1, MOST_CLIENTS);
        range("--stock", stock, 1, MOST_UNITS);
        range("--orders", orders, 0, MOST_UNITS);
        OpenFiles.require((long) Math.min(clients, orders) * nodes, clients + " --clients on " + nodes + " --nodes");
        require(orders > 0 || keep, "--orders 0 is for --keep only: without a load there is nothing to report");
        fault("--kill-a-node-after", killAfter);
        fault("--pause-a-node-after", pauseAfter);
        require(
                pauseAfter == null || strategy != Strategy.NONE,
                "--pause-a-node-after pauses a holder of the lock, and with --strategy none there is none");
        require(lease.toMillis() >= 100, "--lease must be at least 100ms");
        require(
                sku == null || sku.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"),
                "--sku must have 1 to 64 letters, digits, dots, dashes and underscores, and begin with one of the"
                        + " first two");
        require(!page || strategy != Strategy.NONE, "--page shows the locks, and with --strategy none there are none");
        Optional<String> storeUrl = UrlOptions.resolve("store", store, storeFile);
        if (strategy != Strategy.NONE && (nodes > 1 || page)) {
            storeUrl.ifPresent(UrlOptions::refuseMemory);
        }
        return new SalePlan(
                storeUrl,
                UrlOptions.resolve("ledger", ledger, ledgerFile),
                Optional.ofNullable(sku),
                strategy,
                segments(),
                guard == Switch.ON,
                nodes,
                clients,
                stock,
                orders,
                work == null ? page ? WATCHED_WORK : WORK : work,
                lease,
                longestWait,
                Optional.ofNullable(killAfter),
                Optional.ofNullable(pauseAfter),
                keep,
                page,
                json);
    }

    private int segments() {
        if (strategy != Strategy.STRIPED) {
            require(segments == null, "--segments is for --strategy striped only");
            return 0;
        }
        int count = segments == null ? DEFAULT_SEGMENTS : segments;
        range("--segments", count, 1, ShopSettings.MOST_SEGMENTS);
        return count;
    }

    private void fault(String option, @Nullable Duration after) {
        require(after == null || nodes > 1, option + " needs at least 2 nodes: nobody would be left to sell");
        require(after == null || orders > 0, option + " needs --orders: nothing is sold without them");
    }

    private static void range(String option, int value, int least, int most) {
        require(
                value >= least && value <= most,
                option + " is " + value + ", but must be from " + least + " to " + most);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw CliException.usage(message);
        }
    }
}
