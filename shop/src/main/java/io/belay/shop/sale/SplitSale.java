package io.belay.shop.sale;

import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Lot;
import java.util.List;
import java.util.OptionalInt;

/**
 * Sells in two transactions with the work between them, so that the ledger serves others meanwhile: SQLite has one writer
 * at a time for the whole file, and elsewhere each sale under way would keep a connection. The first raises the fence
 * before it reads. The second raises it once more: if that is refused, a successor has read the stock in between, and
 * nothing is written; if not, what was read is still true, as successors raise before they read.
 */
public final class SplitSale implements SaleWriter {
    private final Ledger ledger;
    private final Work work;
    private final String node;

    public SplitSale(Ledger ledger, Work work, String node) {
        this.ledger = ledger;
        this.work = work;
        this.node = node;
    }

    @Override
    public List<Outcome> sell(Lot lot, List<String> buyers, long token) {
        OptionalInt remaining = ledger.write(transaction -> transaction.raiseFence(lot.lockName(), token)
                ? OptionalInt.of(transaction.remaining(lot))
                : OptionalInt.empty());
        if (remaining.isEmpty()) {
            return Allotment.same(GuardedSale.stale(), buyers);
        }
        if (remaining.getAsInt() == 0) {
            return Allotment.same(new Outcome.SoldOut(), buyers);
        }
        work.run();
        Allotment allotment = new Allotment(lot, remaining.getAsInt(), buyers, node, token);
        return ledger.write(transaction -> transaction.raiseFence(lot.lockName(), token)
                ? allotment.write(transaction)
                : Allotment.same(GuardedSale.stale(), buyers));
    }
}
