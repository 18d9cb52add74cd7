package io.belay.cli.sale;

import io.belay.Belay;
import io.belay.cli.CliException;
import io.belay.cli.load.Load;
import io.belay.shop.ledger.Ledger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What happens once the nodes are there: the load, the kill, the report, and the stay. */
final class Selling {
    private static final long TICK_MILLIS = 20;
    private static final long LOOK_MILLIS = 200;

    private final SalePlan plan;
    private final Site site;
    private final Ledger ledger;
    private final Nodes nodes;
    private final @Nullable Belay belay;

    Selling(SalePlan plan, Site site, Ledger ledger, Nodes nodes, @Nullable Belay belay) {
        this.plan = plan;
        this.site = site;
        this.ledger = ledger;
        this.nodes = nodes;
        this.belay = belay;
    }

    int run() throws InterruptedException {
        if (plan.keep()) {
            new WarmUp(site).run(nodes.servers());
        }
        if (plan.keep() && !plan.json()) {
            addresses().forEach(System.out::println);
            System.out.flush();
        }
        SaleResult result = sell();
        if (plan.orders() > 0 || plan.json()) {
            new SaleReport(result).print();
        }
        if (!plan.keep()) {
            return result.exitCode();
        }
        System.err.println("the nodes run on until Ctrl-C or SIGTERM");
        while (!nodes.living().isEmpty()) {
            Thread.sleep(LOOK_MILLIS);
        }
        throw CliException.fellShort("all nodes have ended");
    }

    private SaleResult sell() throws InterruptedException {
        int clients = Math.min(plan.clients(), plan.orders());
        long begun = System.nanoTime();
        try (Load load = new Load(nodes.servers(), site.orderPath(), plan.orders(), clients, plan.patience())) {
            Optional<Killing> killing = watch(load, begun);
            double seconds = secondsSince(begun);
            OptionalLong handOver = killing.map(this::handOver).orElse(OptionalLong.empty());
            return new SaleResult(
                    plan,
                    site,
                    new Figures(nodes, ledger, site).collect(),
                    load.tally(),
                    plan.orders() == 0 ? 0 : seconds,
                    killing,
                    handOver,
                    addresses());
        }
    }

    /** Until all orders are done, or nothing moves any more. */
    private Optional<Killing> watch(Load load, long begun) throws InterruptedException {
        Progress progress = new Progress(plan, load.tally());
        Optional<Killing> killing = Optional.empty();
        boolean toKill = plan.killAfter().isPresent();
        while (!load.await(TICK_MILLIS)) {
            progress.tick();
            double seconds = secondsSince(begun);
            if (toKill && seconds >= plan.killAfter().orElseThrow().toNanos() / 1e9) {
                toKill = false;
                killing = new Killer(nodes, ledger, site.sku(), belay).kill(seconds);
                killing.map(SaleReport::sentence).ifPresent(progress::say);
            }
            if (System.nanoTime() - load.tally().lastProgress()
                    > plan.patience().toNanos()) {
                progress.say(
                        "belay: no order was answered for " + plan.patience().toSeconds() + " s, so this gives up");
                break;
            }
        }
        progress.end();
        return killing;
    }

    /** From the kill to the first sale by another, both by this machine's clock. */
    private OptionalLong handOver(Killing killing) {
        OptionalLong first = ledger.firstSaleByOthers(site.sku(), killing.node(), killing.at());
        return first.isPresent() ? OptionalLong.of(first.getAsLong() - killing.at()) : first;
    }

    private static double secondsSince(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }

    private List<String> addresses() {
        return nodes.servers().stream()
                .map(server -> "http://127.0.0.1:" + server.address().getPort() + site.orderPath())
                .toList();
    }
}
