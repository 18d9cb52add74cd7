package io.belay.shop.sale;

import io.belay.shop.ledger.LedgerTransaction;
import io.belay.shop.ledger.Lot;
import io.belay.shop.ledger.Order;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A division of what is left among buyers: the first get one unit each, the others none. */
final class Allotment {
    private final Lot lot;
    private final int left;
    private final List<Order> orders = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();

    Allotment(Lot lot, int remaining, List<String> buyers, String node, long token) {
        this.lot = lot;
        int left = remaining;
        for (String buyer : buyers) {
            if (left > 0) {
                Order order = Order.now(lot.sku(), lot.unit(left), buyer, node, token);
                left--;
                orders.add(order);
                outcomes.add(new Outcome.Sold(order));
            } else {
                outcomes.add(new Outcome.SoldOut());
            }
        }
        this.left = left;
    }

    /** Returns how many units are left after the division. */
    int left() {
        return left;
    }

    /** Returns the outcome for each buyer, once the division is written. */
    List<Outcome> outcomes() {
        return outcomes;
    }

    /** Writes what is left after the division, and the orders; returns the outcomes. */
    List<Outcome> write(LedgerTransaction transaction) throws SQLException {
        transaction.writeStock(lot, left);
        transaction.insert(orders);
        return outcomes;
    }

    /** Returns the same outcome for all buyers. */
    static List<Outcome> same(Outcome outcome, List<String> buyers) {
        return Collections.nCopies(buyers.size(), outcome);
    }
}
