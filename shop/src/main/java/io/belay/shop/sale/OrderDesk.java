package io.belay.shop.sale;

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
}
