package io.belay.shop.sale;

import io.belay.shop.ledger.Stock;
import java.util.concurrent.CompletableFuture;

/** Takes orders. Never blocks; thread-safe. */
@FunctionalInterface
public interface OrderDesk {
    /**
     * Takes an order for a sku that is known to be on sale.
     *
     * @return what came of it; fails only with what nobody foresaw
     */
    CompletableFuture<Outcome> order(String sku, String buyer);

    /** Returns whether the desk can sell a stock that was divided into segments, or not divided, as this one. */
    default boolean sells(Stock stock) {
        return stock.segments() == 0;
    }
}
