package io.belay.shop.sale;

import io.belay.shop.ledger.Order;

/** The outcome of an order. */
public sealed interface Outcome {
    /** The order was sold. */
    record Sold(Order order) implements Outcome {}

    /** The stock has no unit left. */
    record SoldOut() implements Outcome {}

    /** The order was certainly not sold, and may be sold when it is tried again. */
    record TryAgain(Reason reason, String message) implements Outcome {}

    /** The ledger broke off: the order may have been sold or not. */
    record Unknown(String message) implements Outcome {}

    /** The reasons to try an order again. */
    enum Reason {
        /** The lock was with others all the while. */
        LOCK_TIMEOUT,
        /** The store of the locks did not answer, or refused the lock. */
        STORE_UNAVAILABLE,
        /** The lock had gone to another, and the guard noticed. */
        STALE_WRITE,
        /** The ledger did not take the order. */
        LEDGER_UNAVAILABLE,
        /** The node is about to stop. */
        STOPPING
    }
}
