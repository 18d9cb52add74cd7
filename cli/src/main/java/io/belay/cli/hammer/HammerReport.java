package io.belay.cli.hammer;

import io.belay.cli.text.Json;
import io.belay.cli.text.Text;
import io.belay.support.UrlPasswords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A report of a result, as JSON and as a table. */
final class HammerReport {
    private static final int BAR = 40;

    private final HammerPlan plan;
    private final HammerResult result;

    HammerReport(HammerPlan plan, HammerResult result) {
        this.plan = plan;
        this.result = result;
    }

    void print(boolean json) {
        if (json) {
            Json.print(json());
        } else {
            System.out.println(text());
        }
        if (result.isEmpty()) {
            System.err.println("belay: no process had the lock in the " + plan.seconds()
                    + " s: see by belay inspect who has it, or measure for longer");
        }
        if (result.violations() > 0) {
            System.err.println("belay: exclusion was broken " + result.violations() + " times: a token did not rise,"
                    + " or two threads were inside");
        }
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("store", UrlPasswords.maskUrl(plan.store()));
        object.put("name", plan.name());
        object.put("processes", plan.processes());
        object.put("threads", plan.threads());
        object.put("seconds", plan.seconds());
        object.put("strict", plan.strict());
        object.put("acquisitionsPerSecond", Json.round(result.perSecond()));
        object.put("leastShare", Json.round(result.leastShare()));
        object.put("p50Micros", result.percentileMicros(50));
        object.put("p99Micros", result.percentileMicros(99));
        object.put(
                "perProcess",
                result.workers().stream().map(WorkerResult::acquisitions).toList());
        object.put("violations", result.violations());
        return object;
    }

    private static String whole(@Nullable Double micros) {
        return micros == null ? "-" : Text.format("%.0f", micros);
    }

    String text() {
        List<List<String>> bars = new ArrayList<>();
        long most = result.workers().stream()
                .mapToLong(WorkerResult::acquisitions)
                .max()
                .orElse(0);
        for (int i = 0; i < result.workers().size(); i++) {
            long acquisitions = result.workers().get(i).acquisitions();
            bars.add(List.of("process-" + (i + 1), Text.bar(acquisitions, most, BAR), Long.toString(acquisitions)));
        }
        List<List<String>> figures = List.of(
                List.of("acquisitions/s", Text.format("%.0f", result.perSecond())),
                List.of("least share", Text.format("%.2f of the mean", result.leastShare())),
                List.of("p50 us", whole(result.percentileMicros(50))),
                List.of("p99 us", whole(result.percentileMicros(99))));
        return Text.format(
                        "%s at %s: %s%s",
                        Text.printable(plan.name()),
                        UrlPasswords.maskUrl(plan.store()),
                        plan.size(),
                        plan.strict() ? ", strict order" : "")
                + "\n\n" + Text.table(bars) + "\n\n" + Text.table(figures);
    }
}
