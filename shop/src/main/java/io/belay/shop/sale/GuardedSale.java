package io.belay.shop.sale;

import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.LedgerTransaction;
import io.belay.shop.ledger.Lot;
import io.belay.shop.sale.Outcome.Reason;
import java.sql.SQLException;
import java.util.List;

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
    public List<Outcome> sell(Lot lot, List<String> buyers, long token) {
        return ledger.write(transaction -> sell(transaction, lot, buyers, token));
    }

    private List<Outcome> sell(LedgerTransaction transaction, Lot lot, List<String> buyers, long token)
            throws SQLException {
        if (!transaction.raiseFence(lot.lockName(), token)) {
            return Allotment.same(stale(), buyers);
        }
        int remaining = transaction.remaining(lot);
        if (remaining == 0) {
            return Allotment.same(new Outcome.SoldOut(), buyers);
        }
        work.run();
        return new Allotment(lot, remaining, buyers, node, token).write(transaction);
    }

    static Outcome stale() {
        return new Outcome.TryAgain(
                Reason.STALE_WRITE, "the lock had been handed on; the ledger refused the write as stale");
    }
}
