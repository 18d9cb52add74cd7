package io.belay.shop.sale;

import io.belay.shop.ledger.Lot;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Sells without a lock. */
public final class OpenDesk implements OrderDesk {
    private final SaleWriter writer;
    private final Executor sellers;

    public OpenDesk(SaleWriter writer, Executor sellers) {
        this.writer = writer;
        this.sellers = sellers;
    }

    @Override
    public CompletableFuture<Outcome> order(String sku, String buyer) {
        return CompletableFuture.supplyAsync(() -> writer.sell(Lot.whole(sku), buyer, 0), sellers);
    }
}
