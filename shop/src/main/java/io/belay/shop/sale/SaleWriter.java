package io.belay.shop.sale;

import io.belay.shop.ledger.Lot;
import java.util.List;

/** A way to take units from the stock and to write the orders. Blocks. */
@FunctionalInterface
public interface SaleWriter {
    /**
     * Sells a unit to each of several buyers, for as long as there are any, in their order.
     *
     * @param lot of what
     * @param buyers to whom
     * @param token the fencing token of the lock that the caller holds, 0 for none
     * @return what came of it for each buyer
     */
    List<Outcome> sell(Lot lot, List<String> buyers, long token);

    /** Sells a unit. */
    default Outcome sell(Lot lot, String buyer, long token) {
        return sell(lot, List.of(buyer), token).get(0);
    }
}
