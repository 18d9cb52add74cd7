package io.belay.shop.sale;

import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.LedgerTransaction;
import io.belay.shop.ledger.Order;
import io.belay.shop.ledger.Stock;
import io.belay.shop.sale.Outcome.Reason;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Sells in one transaction that first raises the fence to the holder's token. Until it commits, the fence's row is
 * locked, so that what was read stays true: a holder that was paused past its lease either finds the fence raised by
 * its successor and is refused, or has raised it first and makes the successor wait for its commit. A token that was
 * merely compared at the write would let it overwrite what the successor did between its reading and its writing.
 */
public final class GuardedSale implements SaleWriter {
    private final Ledger ledger;
    private final Work work;
    private final String node;

    public GuardedSale(Ledger ledger, Work work, String node) {
        this.ledger = ledger;
        this.work = work;
        this.node = node;
    }

    @Override
    public Outcome sell(String sku, String buyer, long token) {
        return ledger.write(transaction -> sell(transaction, sku, buyer, token));
    }

    private Outcome sell(LedgerTransaction transaction, String sku, String buyer, long token) throws SQLException {
        if (!transaction.raiseFence(Ledger.lockName(sku), token)) {
            return new Outcome.TryAgain(
                    Reason.STALE_WRITE, "the lock had been handed on; the ledger refused the write as stale");
        }
        Optional<Stock> stock = transaction.readStock(sku).filter(read -> read.remaining() > 0);
        if (stock.isEmpty()) {
            return new Outcome.SoldOut();
        }
        int unit = stock.get().remaining();
        work.run();
        Order order = Order.now(sku, unit, buyer, node, token);
        transaction.writeStock(sku, unit - 1);
        transaction.insert(order);
        return new Outcome.Sold(order);
    }
}
