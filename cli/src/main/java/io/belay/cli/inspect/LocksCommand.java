package io.belay.cli.inspect;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.StoreUnavailableException;
import io.belay.cli.text.CliException;
import io.belay.cli.text.DurationConverter;
import io.belay.cli.text.Json;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.Text;
import io.belay.cli.text.UrlOptions;
import io.belay.cli.text.Version;
import io.belay.spi.UrlPasswords;
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
                    + " read its files can look. WAITERS counts threads inside clients as of their last renewal."
        })
public final class LocksCommand implements Callable<Integer> {
    /** The locks that are looked at side by side. */
    private static final int SIDE_BY_SIDE = 16;

    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Parameters(paramLabel = "PREFIX", arity = "0..1", description = "What the names begin with; all if missing.")
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
    private int limit;

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
        String url = store.sharedUrl();
        ExecutorService threads = Executors.newFixedThreadPool(SIDE_BY_SIDE, LocksCommand::daemon);
        try (Belay belay = Belay.connect(
                UrlOptions.forLooking(url), BelayOptions.defaults().withClientName("locks"))) {
            print(url, look(belay, threads));
            while (watch) {
                Thread.sleep(interval.toMillis());
                try {
                    print(url, look(belay, threads));
                } catch (StoreUnavailableException e) { // it may answer again
                    System.out.println("\n" + UrlPasswords.mask(String.valueOf(e.getMessage())));
                }
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

    /** The locks that were looked at, and whether there are more names. */
    private record Look(List<LockRow> rows, boolean more) {}

    private Look look(Belay belay, ExecutorService threads) throws InterruptedException {
        Iterator<String> names = belay.names(prefix).iterator();
        List<Future<LockRow>> asked = new ArrayList<>();
        while (names.hasNext() && asked.size() < limit) {
            String name = names.next();
            asked.add(threads.submit(() -> LockRow.of(belay.inspect(name))));
        }
        List<LockRow> rows = new ArrayList<>();
        for (Future<LockRow> one : asked) {
            LockRow row = result(one);
            if (all || !row.isFree()) {
                rows.add(row);
            }
        }
        rows.sort(LockRow.ORDER);
        return new Look(rows, names.hasNext());
    }

    private static LockRow result(Future<LockRow> one) throws InterruptedException {
        try {
            return one.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof BelayException told ? told : new IllegalStateException(e.getCause());
        }
    }

    private void print(String url, Look look) {
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("store", UrlPasswords.mask(url));
            object.put("locks", look.rows().stream().map(LockRow::json).toList());
            object.put("more", look.more());
            Json.print(object);
            return;
        }
        StringBuilder text = new StringBuilder();
        if (watch) {
            text.append(CLEAR)
                    .append(UrlPasswords.mask(url))
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
