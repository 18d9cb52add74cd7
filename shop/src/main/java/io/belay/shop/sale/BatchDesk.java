package io.belay.shop.sale;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.recipes.BatchedLock;
import io.belay.recipes.BatchedLock.Entry;
import io.belay.shop.ledger.Lot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sells to all who wait on this node in one sale, each time it has the lock of the sku. A sale runs on a thread of the
 * batch's own.
 */
public final class BatchDesk implements OrderDesk {
    /** The most orders of a batch: more would keep later ones, and the other nodes, waiting for too long. */
    private static final int MOST = 1_000;

    private final Belay belay;
    private final Duration longestWait;
    private final SaleWriter writer;
    private final LockFailures failures = new LockFailures();
    private final Map<String, BatchedLock<PendingOrder, Outcome>> skus = new ConcurrentHashMap<>();

    public BatchDesk(Belay belay, Duration longestWait, SaleWriter writer) {
        this.belay = belay;
        this.longestWait = longestWait;
        this.writer = writer;
    }

    @Override
    public CompletableFuture<Outcome> order(String sku, String buyer) {
        PendingOrder order = PendingOrder.of(buyer, longestWait);
        var unused = skus.computeIfAbsent(sku, this::open)
                .submit(order)
                .exceptionally(failures::outcome)
                .whenComplete((outcome, unforeseen) -> {
                    // If its time was over before, it has been told so.
                    if (unforeseen == null) {
                        order.tell(outcome);
                    } else {
                        order.fail(unforeseen);
                    }
                });
        return order.outcome();
    }

    private BatchedLock<PendingOrder, Outcome> open(String sku) {
        Lot lot = Lot.whole(sku);
        return BatchedLock.of(belay.lock(lot.lockName()), MOST, (entries, lease) -> sell(lot, entries, lease));
    }

    private void sell(Lot lot, List<Entry<PendingOrder, Outcome>> entries, Lease lease) {
        List<Entry<PendingOrder, Outcome>> waiting = entries.stream()
                .filter(entry -> entry.request().take() || isOver(entry))
                .toList();
        List<String> buyers =
                waiting.stream().map(entry -> entry.request().buyer()).toList();
        if (buyers.isEmpty()) {
            return;
        }
        List<Outcome> outcomes = writer.sell(lot, buyers, lease.token());
        LockFailures.warnIfStale(outcomes.get(0), lease);
        for (int i = 0; i < waiting.size(); i++) {
            waiting.get(i).complete(outcomes.get(i));
        }
    }

    /** Tells an order whose time was over that it timed out: there is nothing left to do for it. Returns false. */
    private boolean isOver(Entry<PendingOrder, Outcome> entry) {
        entry.complete(LockFailures.timeout(longestWait));
        return false;
    }
}
