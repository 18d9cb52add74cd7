package io.belay.flashsale;

import io.belay.flashsale.load.Server;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.LedgerException;
import io.belay.shop.ledger.Lot;
import io.belay.shop.ledger.Stock;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A saboteur, which kills or pauses a node at the worst moment: while that holds the lock. If none is caught then, it
 * kills the one that sold last. Belongs to one thread.
 */
final class Saboteur {
    /** For how long whoever follows a paused node sells before that goes on. */
    private static final double SUCCESSOR_SECONDS = 1;

    /** The time for which the last sale of a node that was paused may yet be on its way to the disk of the ledger. */
    private static final double LAST_SALE_SECONDS = 0.2;

    private final SalePlan plan;
    private final Nodes nodes;
    private final Ledger ledger;
    private final String sku;
    private final Holder holder;
    private final Consumer<String> say;
    private int unitsLeft;
    private boolean killDue;
    private boolean pauseDue;
    private @Nullable Fault kill;
    private @Nullable Fault pause;
    private Holder.@Nullable Held paused;
    private double resumeAt;
    /** How many units were left, when the node was paused, of the lot whose lock it holds. */
    private int lotLeft;

    Saboteur(SalePlan plan, Nodes nodes, Ledger ledger, String sku, Holder holder, Consumer<String> say) {
        this.plan = plan;
        this.nodes = nodes;
        this.ledger = ledger;
        this.sku = sku;
        this.holder = holder;
        this.say = say;
        this.unitsLeft = plan.stock();
        this.killDue = plan.killAfter().isPresent();
        this.pauseDue = plan.pauseAfter().isPresent();
    }

    /** Does what is due so many seconds into the sale. */
    void tick(double seconds) throws InterruptedException {
        if (pauseDue && seconds >= seconds(plan.pauseAfter())) {
            pause(seconds);
            // Else it is tried again, for as long as there is something to sell.
            pauseDue = paused == null && unitsLeft() > 0;
        }
        if (paused != null && pause != null && seconds - pause.afterSeconds() < LAST_SALE_SECONDS) {
            lotLeft = left(paused.lock()); // as it has sold that itself
        } else if (paused != null && pause != null && !pause.passedOn() && isPassedOn(paused)) {
            pause = pause.withPassedOn();
            resumeAt = seconds + SUCCESSOR_SECONDS;
        }
        if (paused != null && seconds >= resumeAt) {
            resume();
        }
        if (killDue && paused == null && seconds >= seconds(plan.killAfter())) {
            killDue = false;
            kill(seconds);
        }
    }

    private static double seconds(Optional<Duration> time) {
        return time.orElse(Duration.ZERO).toNanos() / 1e9;
    }

    private void kill(double seconds) throws InterruptedException {
        if (unitsLeft() == 0) {
            return;
        }
        Optional<Server> caught = holder.pause().map(Holder.Held::node);
        Server victim = caught.or(this::lastSeller).orElse(null);
        if (victim == null) {
            return; // they have all ended by themselves
        }
        long at = System.currentTimeMillis();
        nodes.node(victim).kill();
        victim.markGone();
        kill = tell(Fault.Kind.KILLED, victim, caught.isPresent(), seconds, at);
    }

    private void pause(double seconds) throws InterruptedException {
        if (unitsLeft() == 0) {
            return;
        }
        paused = holder.pause().orElse(null);
        if (paused != null) {
            resumeAt = seconds + plan.longestGap().toNanos() / 1e9;
            lotLeft = left(paused.lock());
            pause = tell(Fault.Kind.PAUSED, paused.node(), true, seconds, System.currentTimeMillis());
        }
    }

    private Fault tell(Fault.Kind kind, Server node, boolean heldLock, double seconds, long at) {
        Fault fault = new Fault(kind, node.name(), heldLock, seconds, unitsLeft(), at, false);
        say.accept(fault.toString());
        return fault;
    }

    /** Returns how many units are left; where the ledger does not answer, how many there were when it last did. */
    private int unitsLeft() {
        try {
            unitsLeft = ledger.stock(sku).map(Stock::remaining).orElse(0);
        } catch (LedgerException e) {
            // The nodes have to get over it, too.
        }
        return unitsLeft;
    }

    /** Returns whether another has had the lock by now: who has sold may have had it too briefly to be seen with it. */
    private boolean isPassedOn(Holder.Held held) {
        return holder.hasPassedOn(held) || left(held.lock()) < lotLeft;
    }

    /** Returns how many units are left of the lot with that lock; where the ledger does not answer, how many there were. */
    private int left(String lock) {
        Lot lot = IntStream.range(0, plan.segments())
                .mapToObj(i -> new Lot(sku, i, plan.segments()))
                .filter(one -> one.lockName().equals(lock))
                .findFirst()
                .orElse(Lot.whole(sku));
        try {
            return ledger.remaining(lot);
        } catch (LedgerException e) {
            return lotLeft;
        }
    }

    private Optional<Server> lastSeller() {
        return nodes.living().stream().max(Comparator.comparingLong(Server::lastSale));
    }

    /** Lets a paused node go on, if there is one. */
    void resume() throws InterruptedException {
        if (paused != null) {
            nodes.node(paused.node()).resume();
            say.accept("let " + paused.node().name() + " go on");
            paused = null;
        }
    }

    Optional<Fault> kill() {
        return Optional.ofNullable(kill);
    }

    Optional<Fault> pause() {
        return Optional.ofNullable(pause);
    }
}
