package io.belay.shop.web;

import io.belay.shop.ledger.SaleStatus;
import java.util.List;

/**
 * The contents of the status page, of all nodes together.
 *
 * @param sku what is sold
 * @param stock how many units there were
 * @param left how many the stock has left
 * @param sold how many orders the ledger has
 * @param oversold how many of them are beyond the stock
 * @param soldTwice how many of them are for a unit that an earlier one had
 * @param refused how many orders were answered with "sold out"
 * @param timedOut how many did not have the lock in time
 * @param staleWritesRefused how many sales the guard refused
 * @param addsUp whether what is left and what was sold make what there was
 * @param nodes each node's part
 */
record StatusPage(
        String sku,
        int stock,
        int left,
        long sold,
        long oversold,
        long soldTwice,
        long refused,
        long timedOut,
        long staleWritesRefused,
        boolean addsUp,
        List<Node> nodes) {
    /** The part of one node. */
    record Node(String node, long sold, long refused, long timedOut, long staleWritesRefused) {}

    static StatusPage of(SaleStatus status) {
        var all = status.counts();
        List<Node> nodes = status.nodes().entrySet().stream()
                .map(entry -> {
                    var counts = entry.getValue().counts();
                    return new Node(
                            entry.getKey(),
                            entry.getValue().sold(),
                            counts.refused(),
                            counts.timedOut(),
                            counts.staleWritesRefused());
                })
                .toList();
        return new StatusPage(
                status.sku(),
                status.stock(),
                status.left(),
                status.sold(),
                status.oversold(),
                status.soldTwice(),
                all.refused(),
                all.timedOut(),
                all.staleWritesRefused(),
                status.addsUp(),
                nodes);
    }
}
