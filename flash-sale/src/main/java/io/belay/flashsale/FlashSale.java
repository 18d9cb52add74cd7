package io.belay.flashsale;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.cli.process.Cleanup;
import io.belay.cli.process.ErrorLog;
import io.belay.cli.text.CliException;
import io.belay.cli.text.Text;
import io.belay.shop.ShopSettings.Strategy;
import io.belay.shop.ledger.Ledger;
import io.belay.support.LogName;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/** A flash sale from its preparation to its report. */
final class FlashSale {
    private static final String DEFAULT_SKU = "item";
    private static final Duration TRIAL = Duration.ofSeconds(5);

    private final SalePlan plan;

    FlashSale(SalePlan plan) {
        this.plan = plan;
    }

    int run() throws IOException, InterruptedException {
        try (Cleanup cleanup = new Cleanup()) {
            Path directory = cleanup.temporaryDirectory("belay-sale-");
            String ledgerUrl = plan.ledger().orElse("jdbc:sqlite:" + directory.resolve("ledger.db"));
            Ledger ledger = Ledger.open(ledgerUrl, null, null, 1);
            cleanup.add(ledger::close);
            String storeUrl = plan.store().orElse("file:" + directory.resolve("locks"));
            String name = plan.sku().orElseGet(() -> plan.store().isPresent() ? newName() : DEFAULT_SKU);
            Optional<Belay> belay = connect(storeUrl);
            belay.ifPresent(client -> cleanup.add(client::close));
            plan.sku().filter(sku -> ledger.stock(sku).isPresent()).ifPresent(FlashSale::refuse);
            if (belay.isPresent()) {
                tryLock(belay.get(), name);
            }
            System.err.println(
                    "starting " + Text.count(plan.nodes(), "node", "nodes") + "; their logs are in " + directory);
            Nodes nodes = Nodes.start(plan, directory, storeUrl, ledgerUrl, cleanup);
            if (plan.page()) {
                LivePage page = LivePage.start(storeUrl, cleanup);
                page.announce();
                if (plan.orders() > 0) {
                    page.awaitViewer();
                }
            }
            // Last, as a name is on sale but once: what could not begin has used none up.
            Site site = new Site(directory, storeUrl, ledgerUrl, openSale(ledger, name));
            return new Selling(plan, site, ledger, nodes, belay.orElse(null)).run();
        }
    }

    /** Connects to the store if there are locks, so that an unusable store shows before any process is started. */
    private Optional<Belay> connect(String store) {
        if (plan.strategy() == Strategy.NONE) {
            return Optional.empty();
        }
        BelayAdmin.prepare(store);
        return Optional.of(Belay.connect(store, BelayOptions.defaults().withClientName("flash-sale")));
    }

    /**
     * Takes a lock as the nodes will, and gives it back, as a store may be there and yet not keep a lock for so long: then each order
     * would be refused.
     */
    private void tryLock(Belay client, String sku) throws InterruptedException {
        ErrorLog.leaveOut(LogName.WAITS); // a refusal is what the command ends with
        try {
            client.lock(Ledger.lockName(sku), LockOptions.defaults().withLease(plan.lease()))
                    .tryAcquire(TRIAL)
                    .ifPresent(Lease::close);
        } catch (StoreUnavailableException e) {
            // The nodes wait for longer, as for members of a quorum that have just begun.
        }
    }

    private static void refuse(String sku) {
        throw CliException.usage(sku + " has been on sale in this ledger before; give another --sku, or none");
    }

    /**
     * Opens the sale, and returns its name, which is this one, or another if it is taken: one of its own for each, so that sales in one
     * ledger do not meet.
     */
    private String openSale(Ledger ledger, String name) {
        String sku = name;
        while (!ledger.create(sku, plan.stock(), plan.segments())) {
            plan.sku().ifPresent(FlashSale::refuse);
            sku = newName();
        }
        return sku;
    }

    /** Returns a name that no other sale has, in whatever ledger: in one store they would wait for the same lock. */
    private static String newName() {
        return DEFAULT_SKU + "-" + Integer.toString(new SecureRandom().nextInt(Integer.MAX_VALUE), 36);
    }
}
