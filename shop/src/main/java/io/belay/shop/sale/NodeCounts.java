package io.belay.shop.sale;

import io.belay.shop.ledger.Counts;
import io.belay.shop.sale.Outcome.Reason;
import java.util.concurrent.atomic.LongAdder;

/** Counts what this node answered for one sku, besides the sales, which the ledger has. Thread-safe. */
final class NodeCounts {
    private final LongAdder refused = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder stale = new LongAdder();

    void add(Outcome outcome) {
        if (outcome instanceof Outcome.SoldOut) {
            refused.increment();
        } else if (outcome instanceof Outcome.TryAgain again) {
            if (again.reason() == Reason.LOCK_TIMEOUT) {
                timedOut.increment();
            } else if (again.reason() == Reason.STALE_WRITE) {
                stale.increment();
            }
        }
    }

    Counts now() {
        return new Counts(refused.sum(), timedOut.sum(), stale.sum());
    }
}
