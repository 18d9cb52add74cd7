package io.belay.shop.ledger;

import java.util.UUID;

/**
 * An order for a unit that was sold.
 *
 * @param id unique among all orders
 * @param sku what was sold
 * @param unit which unit: its number follows from what the seller read as the remaining stock
 * @param buyer to whom
 * @param node by which node of the shop
 * @param token the fencing token of the lock under which it was sold; 0 without a lock
 * @param soldAt when, in milliseconds since 1970 by the node's clock
 */
public record Order(String id, String sku, int unit, String buyer, String node, long token, long soldAt) {
    /** A new order, of now. */
    public static Order now(String sku, int unit, String buyer, String node, long token) {
        return new Order(UUID.randomUUID().toString(), sku, unit, buyer, node, token, System.currentTimeMillis());
    }
}
