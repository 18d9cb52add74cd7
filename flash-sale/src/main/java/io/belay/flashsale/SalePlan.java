package io.belay.flashsale;

import io.belay.shop.ShopSettings.Strategy;
import java.time.Duration;
import java.util.Optional;

/**
 * The plan of a flash sale, checked.
 *
 * @param store the URL of the locks' store; empty for a directory that goes with the sale
 * @param ledger the ledger's JDBC URL; empty for a file that goes with the sale
 * @param sku what to sell; empty for a name that is free
 * @param strategy what stands between two orders
 * @param segments into how many segments the stock is divided; 0 for not at all
 * @param guard whether the ledger refuses stale writes
 * @param nodes how many nodes there are
 * @param clients how many clients order at once
 * @param stock how many units there are
 * @param orders how many orders are placed
 * @param work how long a sale takes
 * @param lease the locks' lease
 * @param longestWait for how long an order waits for the lock
 * @param killAfter when to kill a node
 * @param pauseAfter when to pause a node for longer than its lease
 * @param keep whether to stay until a signal comes
 * @param page whether a live page of the locks is served
 * @param json whether the report is JSON
 */
record SalePlan(
        Optional<String> store,
        Optional<String> ledger,
        Optional<String> sku,
        Strategy strategy,
        int segments,
        boolean guard,
        int nodes,
        int clients,
        int stock,
        int orders,
        Duration work,
        Duration lease,
        Duration longestWait,
        Optional<Duration> killAfter,
        Optional<Duration> pauseAfter,
        boolean keep,
        boolean page,
        boolean json) {
    /** Returns whether the guard has a say: it only checks what is done under a lock. */
    boolean guarded() {
        return guard && strategy != Strategy.NONE;
    }

    /** Returns how many units are to be sold. */
    int target() {
        return Math.min(stock, orders);
    }

    /**
     * Returns for how long nobody may have the lock after a node has died or was paused. That may be longer than its lease: on
     * ZooKeeper it lasts as long as a session, 40 s as it comes.
     */
    Duration longestGap() {
        return lease.plusMinutes(1);
    }

    /** Returns after how long without a sale or a "sold out" something must be wrong. */
    Duration patience() {
        return longestWait.plus(work).plusSeconds(30).plus(longestGap());
    }
}
