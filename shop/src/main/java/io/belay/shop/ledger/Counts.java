package io.belay.shop.ledger;

/**
 * The number of orders that a node answered with something else than a sale.
 *
 * @param refused orders that were refused as sold out
 * @param timedOut orders that did not have the lock in time
 * @param staleWritesRefused orders for which the guard refused the write of a holder that had been succeeded
 */
public record Counts(long refused, long timedOut, long staleWritesRefused) {
    /** Counts of no orders at all. */
    public static final Counts NONE = new Counts(0, 0, 0);

    /** Returns both counts together. */
    public Counts plus(Counts other) {
        return new Counts(
                refused + other.refused, timedOut + other.timedOut, staleWritesRefused + other.staleWritesRefused);
    }
}
