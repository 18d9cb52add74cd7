package io.belay.shop.sale;

/** A way to take a unit from the stock and to write the order. Blocks. */
public interface SaleWriter {
    /**
     * Sells a unit.
     *
     * @param sku of what
     * @param buyer to whom
     * @param token the fencing token of the lock that the caller holds, 0 for none
     */
    Outcome sell(String sku, String buyer, long token);
}
