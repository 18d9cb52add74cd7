package io.belay.shop.sale;

import io.belay.Belay;
import io.belay.recipes.StripedLock;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Stock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Sells a stock that the ledger has in segments, each under a lock of its own, so that as many sales as there are
 * segments go on side by side. Waiting takes no thread; selling runs on the sellers' threads, of which there
 * should be as many as there are segments.
 */
public final class StripedDesk implements OrderDesk {
    private final Belay belay;
    private final Ledger ledger;
    private final Duration longestWait;
    private final SaleWriter writer;
    private final Executor sellers;
    private final LockFailures failures = new LockFailures();
    private final Map<String, Stripes> skus = new ConcurrentHashMap<>();

    public StripedDesk(Belay belay, Ledger ledger, Duration longestWait, SaleWriter writer, Executor sellers) {
        this.belay = belay;
        this.ledger = ledger;
        this.longestWait = longestWait;
        this.writer = writer;
        this.sellers = sellers;
    }

    @Override
    public boolean sells(Stock stock) {
        return stock.segments() > 0;
    }

    @Override
    public CompletableFuture<Outcome> order(String sku, String buyer) {
        PendingOrder order = PendingOrder.of(buyer, longestWait);
        skus.computeIfAbsent(sku, this::open).submit(order);
        return order.outcome();
    }

    /** Opens a sku with as many segments as the ledger says: nodes that differed would sell to each other's buyers. */
    private Stripes open(String sku) {
        int segments = ledger.stock(sku).map(Stock::segments).orElse(0);
        StripedLock lock = StripedLock.of(belay, Ledger.lockName(sku), segments);
        return new Stripes(sku, lock, longestWait, writer, sellers, failures);
    }
}
