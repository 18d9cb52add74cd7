package io.belay.cli.sale;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.Inspection;
import io.belay.cli.load.Server;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Stock;
import java.io.IOException;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Kills a node at the worst moment: while it holds the lock. To be sure of that it stops the process first, looks
 * whether it has the lock still, and lets it run on if not.
 */
final class Killer {
    private static final int TRIES = 40;

    private final Nodes nodes;
    private final Ledger ledger;
    private final String sku;
    private final @Nullable Belay belay;

    /**
     * Makes one.
     *
     * @param belay shows who holds the lock; null if there is none
     */
    Killer(Nodes nodes, Ledger ledger, String sku, @Nullable Belay belay) {
        this.nodes = nodes;
        this.ledger = ledger;
        this.sku = sku;
        this.belay = belay;
    }

    /** Kills a node if units are left; empty if none are, before or after. */
    Optional<Killing> kill(double afterSeconds) throws InterruptedException {
        if (unitsLeft() == 0) {
            return Optional.empty();
        }
        Optional<Server> holder = stopHolder();
        Server victim = holder.orElseGet(this::lastSeller);
        long at = System.currentTimeMillis();
        nodes.node(victim).kill();
        victim.markGone();
        int left = unitsLeft();
        return left == 0
                ? Optional.empty()
                : Optional.of(new Killing(victim.name(), afterSeconds, left, holder.isPresent(), at));
    }

    private int unitsLeft() {
        return ledger.stock(sku).map(Stock::remaining).orElse(0);
    }

    private Server lastSeller() {
        return nodes.living().stream()
                .max(Comparator.comparingLong(Server::lastSale))
                .orElseThrow();
    }

    /** The holder, stopped; empty if none could be caught. */
    private Optional<Server> stopHolder() throws InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            Optional<Server> holder = holder();
            if (holder.isPresent()) {
                long pid = nodes.node(holder.get()).pid();
                if (signal("STOP", pid) && holder().equals(holder)) {
                    return holder;
                }
                signal("CONT", pid);
            }
        }
        return Optional.empty();
    }

    private Optional<Server> holder() {
        if (belay == null) {
            return Optional.empty();
        }
        try {
            return belay.inspect(Ledger.lockName(sku)).claims().stream()
                    .filter(claim -> claim.place() == 0)
                    .map(Inspection.Claim::process)
                    .findFirst()
                    .flatMap(nodes::byPid);
        } catch (BelayException e) {
            return Optional.empty();
        }
    }

    /** Java itself can only end processes. */
    private static boolean signal(String name, long pid) throws InterruptedException {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return kill.waitFor(2, TimeUnit.SECONDS) && kill.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
