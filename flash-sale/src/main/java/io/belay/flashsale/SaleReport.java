package io.belay.flashsale;

import io.belay.cli.text.Json;
import io.belay.cli.text.Text;
import io.belay.shop.ledger.SaleStatus.NodeStatus;
import io.belay.support.UrlPasswords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report of a result, as JSON and as a table. */
final class SaleReport {
    private static final int BAR = 40;

    private final SaleResult result;

    SaleReport(SaleResult result) {
        this.result = result;
    }

    void print() {
        if (result.plan().json()) {
            Json.print(json());
        } else {
            System.out.println(text());
        }
        result.shortcomings().forEach(line -> System.err.println("belay: " + line));
    }

    Map<String, Object> json() {
        SalePlan plan = result.plan();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("store", UrlPasswords.maskUrl(result.site().store()));
        object.put("ledger", UrlPasswords.maskUrl(result.site().ledger()));
        object.put("sku", result.site().sku());
        object.put("strategy", plan.strategy().toString());
        if (plan.segments() > 0) {
            object.put("segments", plan.segments());
        }
        object.put("guard", plan.guarded());
        object.put("nodes", plan.nodes());
        object.put("clients", plan.clients());
        object.put("stock", plan.stock());
        object.put("orders", plan.orders());
        object.put("sold", result.status().sold());
        object.put("oversold", result.status().oversold());
        object.put("soldOut", result.tally().soldOut());
        object.put("unknown", result.tally().unknown());
        object.put("failed", result.failed());
        object.put("seconds", Json.round(result.seconds()));
        object.put("ordersPerSecond", Json.round(result.perSecond(result.tally().done())));
        object.put("soldPerSecond", Json.round(result.tally().soldPerSecond()));
        object.put("p50Millis", Json.round(result.tally().percentileMillis(50)));
        object.put("p99Millis", Json.round(result.tally().percentileMillis(99)));
        object.put("staleWritesRefused", result.status().counts().staleWritesRefused());
        object.put("soldTwice", result.status().soldTwice());
        object.put("left", result.status().left());
        object.put("retries", result.tally().retries());
        object.put("soldPerNode", soldPerNode());
        result.kill().ifPresent(kill -> {
            Map<String, Object> killed = json(kill);
            result.handOverMillis().ifPresent(millis -> killed.put("handOverMillis", millis));
            object.put("killed", killed);
        });
        result.pause().ifPresent(pause -> {
            Map<String, Object> paused = json(pause);
            paused.put("passedOn", pause.passedOn());
            object.put("paused", paused);
        });
        if (plan.keep()) {
            object.put("addresses", result.addresses());
        }
        return object;
    }

    private static Map<String, Object> json(Fault fault) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("node", fault.node());
        object.put("heldLock", fault.heldLock());
        object.put("afterSeconds", Json.round(fault.afterSeconds()));
        object.put("unitsLeft", fault.unitsLeft());
        return object;
    }

    private Map<String, Long> soldPerNode() {
        Map<String, Long> sold = new LinkedHashMap<>();
        result.status().nodes().forEach((name, node) -> sold.put(name, node.sold()));
        return sold;
    }

    String text() {
        SalePlan plan = result.plan();
        List<String> lines = new ArrayList<>();
        lines.add(Text.format(
                "%s: %s, %s by %s, %s, strategy %s, guard %s",
                result.site().sku(),
                Text.count(plan.stock(), "unit", "units"),
                Text.count(plan.orders(), "order", "orders"),
                Text.count(plan.clients(), "client", "clients"),
                Text.count(plan.nodes(), "node", "nodes"),
                plan.strategy(),
                plan.guarded() ? "on" : "off"));
        lines.add("store  " + UrlPasswords.maskUrl(result.site().store()));
        lines.add("ledger " + UrlPasswords.maskUrl(result.site().ledger()));
        lines.add("");
        lines.add(bars());
        lines.add("");
        lines.add(figures());
        result.pause().ifPresent(pause -> lines.add("\n" + pause));
        result.kill().ifPresent(kill -> lines.add("\n" + kill));
        result.handOverMillis().ifPresent(millis -> lines.add("first sale by another node " + millis + " ms later"));
        return String.join("\n", lines);
    }

    private String bars() {
        long most = result.status().nodes().values().stream()
                .mapToLong(NodeStatus::sold)
                .max()
                .orElse(0);
        List<List<String>> rows = new ArrayList<>();
        result.status().nodes().forEach((name, node) -> {
            boolean killed =
                    result.kill().filter(kill -> kill.node().equals(name)).isPresent();
            rows.add(List.of(
                    name, Text.bar(node.sold(), most, BAR), node.sold() + " sold" + (killed ? ", killed" : "")));
        });
        return rows.isEmpty() ? "nothing was sold" : Text.table(rows);
    }

    private String figures() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row(
                "sold",
                result.status().sold(),
                "orders/s",
                result.perSecond(result.tally().done())));
        rows.add(row(
                "oversold", result.status().oversold(), "sold/s", result.tally().soldPerSecond()));
        rows.add(row(
                "sold out", result.tally().soldOut(), "p50 ms", result.tally().percentileMillis(50)));
        rows.add(row(
                "unknown", result.tally().unknown(), "p99 ms", result.tally().percentileMillis(99)));
        rows.add(row("failed", result.failed(), "seconds", result.seconds()));
        rows.add(List.of("stale writes refused", "" + result.status().counts().staleWritesRefused(), "", ""));
        return Text.table(rows);
    }

    private static List<String> row(String name, long count, String figure, double value) {
        return List.of(name, Long.toString(count), figure, Text.format("%.1f", value));
    }
}
