package io.belay.shop.ledger;

/**
 * The units that are sold under one lock: the whole stock of a sku, or one of the segments into which it is
 * divided. The ledger deals out units to the segments like cards, so that the numbers of all segments' units
 * together are those of the stock.
 *
 * @param sku of what
 * @param segment which segment, from 0; {@link #WHOLE} if the stock is not divided
 * @param segments how many segments there are; 1 if the stock is not divided
 */
public record Lot(String sku, int segment, int segments) {
    /** The segment's number of a stock that is not divided. */
    public static final int WHOLE = -1;

    /** The whole stock of a sku. */
    public static Lot whole(String sku) {
        return new Lot(sku, WHOLE, 1);
    }

    /** The name of the lock under which the lot is sold; that of a segment is named as a striped lock names it. */
    public String lockName() {
        return segment == WHOLE ? Ledger.lockName(sku) : Ledger.lockName(sku) + "#" + segment;
    }

    /** The number of the unit that is sold when so many are left. */
    public int unit(int remaining) {
        return segment == WHOLE ? remaining : (remaining - 1) * segments + segment + 1;
    }

    /** Returns how many of a stock's units are in this lot. */
    int share(int units) {
        return segment == WHOLE ? units : units / segments + (segment < units % segments ? 1 : 0);
    }
}
