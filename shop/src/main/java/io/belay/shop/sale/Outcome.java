package io.belay.shop.sale;

import io.belay.shop.ledger.Order;

/** What came of an order. */
public sealed interface Outcome {
    /** It was sold. */
    record Sold(Order order) implements Outcome {}

    /** No unit is left. */
    record SoldOut() implements Outcome {}

    /** It was certainly not sold, and may be sold when it is tried again. */
    record TryAgain(Reason reason, String message) implements Outcome {}

    /** The ledger broke off: it may have been sold or not. */
    record Unknown(String message) implements Outcome {}

    /** Why an order is to be tried again. */
    enum Reason {
        /** Others had the lock all the while. */
        LOCK_TIMEOUT,
        /** The store of the locks did not answer. */
        STORE_UNAVAILABLE,
        /** The lock had gone to another, and the guard noticed. */
        STALE_WRITE,
        /** The ledger did not take it. */
        LEDGER_UNAVAILABLE,
        /** This node is about to stop. */
        STOPPING
    }
}
