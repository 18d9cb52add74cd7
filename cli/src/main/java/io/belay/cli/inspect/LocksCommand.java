package io.belay.cli.inspect;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.StoreUnavailableException;
import io.belay.cli.text.CliException;
import io.belay.cli.text.DurationConverter;
import io.belay.cli.text.Json;
import io.belay.cli.text.LockNameConverter;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.Text;
import io.belay.cli.text.UrlOptions;
import io.belay.cli.text.Version;
import io.belay.support.UrlPasswords;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay locks}, which lists the locks that are in use. */
@Command(
        name = "locks",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "The URL may hold $${NAME} for an environment variable. A directory (file:) is only read: any user who may"
                    + " read its files can look. WAITERS counts threads inside clients as of their last renewal. OLDEST"
                    + " WAIT is the age of the oldest claim that waits; a client whose turn is over waits on by the same"
                    + " claim."
        })
public final class LocksCommand implements Callable<Integer> {
    /** The locks that are looked at side by side. */
    private static final int SIDE_BY_SIDE = 16;

    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            converter = LockNameConverter.class,
            description = "What the names begin with; all if missing.")
    private String prefix = "";

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--all", description = "Lists names that nobody holds or waits for, too.")
    private boolean all;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "The most names to look at, each by a request. Default: ${DEFAULT-VALUE}.")
    private int limit = 1_000;

    @Option(names = "--json", description = "Prints one JSON object; with --watch one for each look.")
    private boolean json;

    @Option(names = "--watch", description = "Looks again and again until Ctrl-C.")
    private boolean watch;

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            defaultValue = "1s",
            converter = DurationConverter.class,
            description = "The time between two looks with --watch. Default: ${DEFAULT-VALUE}.")
    private Duration interval = Duration.ofSeconds(1);

    @Override
    public Integer call() throws InterruptedException {
        if (limit < 1) {
            throw CliException.usage("--limit is " + limit + ", but must be 1 or more");
        }
        if (interval.toMillis() < 1) {
            throw CliException.usage("--interval is shorter than the least, 1ms");
        }
        String url = store.sharedUrl();
        ExecutorService threads = Executors.newFixedThreadPool(SIDE_BY_SIDE, LocksCommand::daemon);
        try (Belay belay = Belay.connect(
                UrlOptions.forLooking(url), BelayOptions.defaults().withClientName("locks"))) {
            print(url, look(belay, threads));
            while (watch && !System.out.checkError()) { // else nobody reads it any more
                Thread.sleep(interval.toMillis());
                lookAgain(url, belay, threads);
            }
        } finally {
            threads.shutdownNow();
        }
        return 0;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "locks");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * The locks that were looked at.
     *
     * @param more whether there are more names than were to be looked at
     * @param missed why something is not known, as the store was late or has what Belay cannot read; empty if all is
     */
    record Look(List<LockRow> rows, boolean more, String missed) {}

    /** Looks at the locks; what the store does not tell, in time or at all, is marked, and only if that is all it is a failure. */
    Look look(Belay belay, ExecutorService threads) throws InterruptedException {
        Map<String, Future<LockRow>> asked = new LinkedHashMap<>();
        BelayException untold = null;
        boolean more = false;
        try {
            Iterator<String> names = belay.admin().names(prefix).iterator();
            while (names.hasNext() && asked.size() < limit) {
                String name = names.next();
                asked.put(name, threads.submit(() -> LockRow.of(belay.admin().inspect(name))));
            }
            more = names.hasNext();
        } catch (StoreUnavailableException e) {
            untold = e;
        }
        List<LockRow> rows = new ArrayList<>();
        boolean known = false;
        for (Map.Entry<String, Future<LockRow>> one : asked.entrySet()) {
            try {
                LockRow row = one.getValue().get();
                known = true;
                if (all || !row.isFree()) {
                    rows.add(row);
                }
            } catch (ExecutionException e) {
                untold = told(e);
                rows.add(LockRow.unknown(one.getKey()));
            }
        }
        if (untold != null && !known) {
            throw untold;
        }
        rows.sort(LockRow.ORDER);
        return new Look(rows, more, untold == null ? "" : UrlPasswords.mask(String.valueOf(untold.getMessage())));
    }

    private static BelayException told(ExecutionException failure) {
        if (failure.getCause() instanceof BelayException told) {
            return told;
        }
        throw new IllegalStateException(failure);
    }

    /** Looks, and prints what there is to see, or why there is nothing: the store may tell again. */
    void lookAgain(String url, Belay belay, ExecutorService threads) throws InterruptedException {
        try {
            print(url, look(belay, threads));
        } catch (BelayException e) {
            String failure = UrlPasswords.mask(String.valueOf(e.getMessage()));
            if (json) {
                Json.print(Map.of("store", UrlPasswords.maskUrl(url), "failure", failure));
            } else {
                System.out.println("\n" + failure);
            }
        }
    }

    private void print(String url, Look look) {
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("store", UrlPasswords.maskUrl(url));
            object.put("locks", look.rows().stream().map(LockRow::json).toList());
            object.put("more", look.more());
            if (!look.missed().isEmpty()) {
                object.put("missed", look.missed());
            }
            Json.print(object);
            return;
        }
        StringBuilder text = new StringBuilder();
        if (watch) {
            text.append(Text.isTerminal(1) ? CLEAR : "")
                    .append(UrlPasswords.maskUrl(url))
                    .append("  ")
                    .append(LocalTime.now().truncatedTo(ChronoUnit.SECONDS))
                    .append("  (Ctrl-C ends)\n\n");
        }
        text.append(table(look.rows()));
        if (look.more()) {
            text.append("\nThere are more names than --limit=")
                    .append(limit)
                    .append("; name a PREFIX, or a greater limit");
        }
        if (!look.missed().isEmpty()) {
            text.append("\nNot all is known (?): ").append(Text.printable(look.missed()));
        }
        System.out.println(text);
        System.out.flush();
    }

    private String table(List<LockRow> rows) {
        if (rows.isEmpty()) {
            String which = prefix.isEmpty() ? "" : " whose name begins with " + Text.printable(prefix);
            return "nobody holds or waits for any lock" + which;
        }
        List<List<String>> cells = rows.stream().map(LockRow::cells).collect(Collectors.toCollection(ArrayList::new));
        cells.add(0, LockRow.HEADER);
        return Text.table(cells);
    }
}
