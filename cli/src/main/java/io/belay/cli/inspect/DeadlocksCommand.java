package io.belay.cli.inspect;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Deadlock;
import io.belay.cli.text.Json;
import io.belay.cli.text.StoreOption;
import io.belay.cli.text.Text;
import io.belay.cli.text.UrlOptions;
import io.belay.cli.text.Version;
import io.belay.support.UrlPasswords;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code belay deadlocks}, which shows the threads that wait for each other. */
@Command(
        name = "deadlocks",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        footer = {
            "",
            "The exit code is 1 if there is a deadlock, and 0 if there is none. Each name in the store is read by a request."
        })
public final class DeadlocksCommand implements Callable<Integer> {
    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        String url = store.sharedUrl();
        try (Belay belay = Belay.connect(
                UrlOptions.forLooking(url), BelayOptions.defaults().withClientName("deadlocks"))) {
            List<Deadlock> found = belay.admin().deadlocks();
            if (json) {
                Map<String, Object> object = new LinkedHashMap<>();
                object.put("store", UrlPasswords.maskUrl(url));
                object.put(
                        "deadlocks", found.stream().map(DeadlocksCommand::json).toList());
                Json.print(object);
            } else if (found.isEmpty()) {
                System.out.println("no deadlock");
            } else {
                found.forEach(deadlock -> System.out.println(text(deadlock)));
            }
            return found.isEmpty() ? 0 : 1;
        }
    }

    /** Draws a ring: from a thread an arrow leads to the lock that it waits for, and on to the thread that holds that. */
    static String text(Deadlock deadlock) {
        StringBuilder text = new StringBuilder("deadlock of " + deadlock.ring().size()
                + (deadlock.permits() ? ", through permits: others may bring enough of them" : "") + "\n");
        for (Deadlock.Edge edge : deadlock.ring()) {
            text.append("  +-> ")
                    .append(Text.printable(edge.holds()))
                    .append("  (token ")
                    .append(edge.token())
                    .append(")\n  |   held for ")
                    .append(seconds(edge.held()))
                    .append(" by ")
                    .append(who(edge))
                    .append("\n  |   which has waited for ")
                    .append(seconds(edge.waited()))
                    .append(edge.victim() ? ", and is the one to give up" : "")
                    .append('\n');
        }
        return text.append("  +-> ")
                .append(Text.printable(deadlock.ring().get(0).holds()))
                .append("  (the first)")
                .toString();
    }

    private static String who(Deadlock.Edge edge) {
        return Text.printable(edge.client() + " (process " + edge.process() + " on " + edge.host() + ", thread "
                + edge.thread() + (edge.behalf().isEmpty() ? "" : " for " + edge.behalf()) + ")");
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }

    private static Map<String, Object> json(Deadlock deadlock) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("permits", deadlock.permits());
        object.put("ring", deadlock.ring().stream().map(DeadlocksCommand::json).toList());
        return object;
    }

    private static Map<String, Object> json(Deadlock.Edge edge) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("client", edge.client());
        object.put("host", edge.host());
        object.put("process", edge.process());
        object.put("thread", edge.thread());
        object.put("behalf", edge.behalf());
        object.put("holds", edge.holds());
        object.put("token", edge.token());
        object.put("heldMillis", edge.held().toMillis());
        object.put("waitsFor", edge.waitsFor());
        object.put("waitedMillis", edge.waited().toMillis());
        object.put("victim", edge.victim());
        return object;
    }
}
