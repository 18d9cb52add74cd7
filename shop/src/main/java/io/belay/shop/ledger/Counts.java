package io.belay.shop.ledger;

/**
 * How often a node answered an order with something else than a sale.
 *
 * @param refused sold out
 * @param timedOut the lock was not had in time
 * @param staleWritesRefused the guard refused the write of a holder that had been succeeded
 */
public record Counts(long refused, long timedOut, long staleWritesRefused) {
    /** None at all. */
    public static final Counts NONE = new Counts(0, 0, 0);

    /** Both together. */
    public Counts plus(Counts other) {
        return new Counts(
                refused + other.refused, timedOut + other.timedOut, staleWritesRefused + other.staleWritesRefused);
    }
}
