package io.belay.flashsale;

import io.belay.Belay;
import io.belay.cli.process.OpenFiles;
import io.belay.cli.text.CliException;
import io.belay.flashsale.load.Load;
import io.belay.flashsale.load.Tally;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.LedgerException;
import io.belay.shop.ledger.Lot;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The part of a sale once the nodes are there: the load, the kill, the report, and the stay. */
final class Selling {
    private static final long TICK_MILLIS = 20;
    private static final long LOOK_MILLIS = 200;
    private static final long MOST_BUYERS = 10_000;

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
        if (nodes.areEnding()) {
            throw CliException.fellShort("the sale was ended"); // by a signal, whose exit code says so
        }
        if (plan.orders() > 0 || plan.json()) {
            new SaleReport(result).print();
        }
        if (!plan.keep()) {
            return result.exitCode();
        }
        addresses().stream().findFirst().ifPresent(address -> {
            System.err.println("the nodes run on until Ctrl-C or SIGTERM; for example, in another shell:");
            System.err.println("  " + example(address));
        });
        while (!nodes.living().isEmpty()) {
            Thread.sleep(LOOK_MILLIS);
        }
        throw CliException.fellShort("all nodes have ended");
    }

    private SaleResult sell() throws InterruptedException {
        int clients = Math.min(plan.clients(), plan.orders());
        long begun = System.nanoTime();
        try (Load load =
                new Load(nodes.servers(), site.orderPath(), plan.orders(), plan.target(), clients, plan.patience())) {
            Progress progress = new Progress(plan, load.tally());
            Saboteur saboteur =
                    new Saboteur(plan, nodes, ledger, site.sku(), new Holder(nodes, locks(), belay), progress::say);
            watch(load, begun, progress, saboteur);
            double seconds = plan.orders() == 0 ? 0 : secondsSince(begun);
            try {
                return result(load.tally(), seconds, saboteur);
            } catch (LedgerException e) {
                throw CliException.fellShort(seen(load.tally()) + "; what was sold is not known, as " + e.getMessage());
            }
        }
    }

    private SaleResult result(Tally tally, double seconds, Saboteur saboteur) throws InterruptedException {
        return new SaleResult(
                plan,
                site,
                new Figures(nodes, ledger, site).collect(),
                tally,
                seconds,
                saboteur.kill(),
                saboteur.pause(),
                saboteur.kill().map(this::handOver).orElse(OptionalLong.empty()),
                addresses());
    }

    private String seen(Tally tally) {
        return "of " + plan.orders() + " orders " + tally.sold() + " were confirmed, " + tally.soldOut() + " refused, "
                + tally.unknown() + " not answered, " + tally.failed() + " failed";
    }

    /** Watches the sale until all orders are done, or nothing moves any more. */
    private void watch(Load load, long begun, Progress progress, Saboteur saboteur) throws InterruptedException {
        try {
            while (!load.await(TICK_MILLIS)) {
                progress.tick();
                saboteur.tick(secondsSince(begun));
                nodes.leaveOutTheDead();
                if (System.nanoTime() - load.tally().lastProgress()
                        > plan.patience().toNanos()) {
                    progress.say("belay: no order was taken, or refused as sold out, for "
                            + plan.patience().toSeconds() + " s, so this gives up");
                    break;
                }
            }
        } finally {
            saboteur.resume();
        }
        progress.end();
    }

    private List<String> locks() {
        return plan.segments() == 0
                ? List.of(Lot.whole(site.sku()).lockName())
                : IntStream.range(0, plan.segments())
                        .mapToObj(i -> new Lot(site.sku(), i, plan.segments()).lockName())
                        .toList();
    }

    /** Returns the time from the kill to the first sale by another, in milliseconds, both by this machine's clock. */
    private OptionalLong handOver(Fault kill) {
        OptionalLong first = ledger.firstSaleByOthers(site.sku(), kill.node(), kill.at());
        return first.isPresent() ? OptionalLong.of(first.getAsLong() - kill.at()) : first;
    }

    /** Returns a command with as many buyers at once as the nodes can have connections. */
    private static String example(String address) {
        long buyers = Math.min(MOST_BUYERS, OpenFiles.connections());
        return "ulimit -n $(ulimit -Hn); ab -l -s 300 -n " + 2 * buyers + " -c " + buyers + " " + address;
    }

    private static double secondsSince(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }

    /** Returns where orders are taken: at the nodes that are alive. */
    List<String> addresses() {
        return nodes.living().stream()
                .map(server -> "http://127.0.0.1:" + server.address().getPort() + site.orderPath())
                .toList();
    }
}
