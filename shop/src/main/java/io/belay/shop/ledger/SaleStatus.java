package io.belay.shop.ledger;

import java.util.SortedMap;

/**
 * A sale as the ledger has it at one moment.
 *
 * @param sku what is sold
 * @param stock how many units there were
 * @param left how many the stock still has
 * @param sold how many orders there are
 * @param soldTwice how many orders are for a unit that an earlier one had, whether or not the stock is used up
 * @param nodes what each node did
 */
public record SaleStatus(
        String sku, int stock, int left, long sold, long soldTwice, SortedMap<String, NodeStatus> nodes) {
    /**
     * The part of one node.
     *
     * @param sold how many units it sold
     * @param counts its other answers
     */
    public record NodeStatus(long sold, Counts counts) {
        static final NodeStatus NONE = new NodeStatus(0, Counts.NONE);
    }

    /** Returns how many orders there are beyond the units that there were. */
    public long oversold() {
        return Math.max(0, sold - stock);
    }

    /** Returns the part of one node; that is nothing for a node that did nothing. */
    public NodeStatus node(String name) {
        return nodes.getOrDefault(name, NodeStatus.NONE);
    }

    /** The answers of all nodes together. */
    public Counts counts() {
        return nodes.values().stream().map(NodeStatus::counts).reduce(Counts.NONE, Counts::plus);
    }

    /** Returns whether what is left and what was sold add up to what there was: a lost update shows here. */
    public boolean addsUp() {
        return left + sold == stock;
    }
}
