package io.belay.shop.sale;

import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Order;
import io.belay.shop.ledger.Stock;
import java.util.Optional;

/**
 * Sells as much code does: reads the stock, works, and writes back what it calculated, with nothing to tie the write to
 * the reading. Right as long as nobody else does the same meanwhile.
 */
public final class UnguardedSale implements SaleWriter {
    private final Ledger ledger;
    private final Work work;
    private final String node;

    public UnguardedSale(Ledger ledger, Work work, String node) {
        this.ledger = ledger;
        this.work = work;
        this.node = node;
    }

    @Override
    public Outcome sell(String sku, String buyer, long token) {
        Optional<Stock> stock = ledger.stock(sku).filter(read -> read.remaining() > 0);
        if (stock.isEmpty()) {
            return new Outcome.SoldOut();
        }
        int unit = stock.get().remaining();
        work.run();
        Order order = Order.now(sku, unit, buyer, node, token);
        return ledger.write(transaction -> {
            transaction.writeStock(sku, unit - 1);
            transaction.insert(order);
            return new Outcome.Sold(order);
        });
    }
}
