package io.belay.shop.sale;

import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Lot;
import java.util.List;

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
    public List<Outcome> sell(Lot lot, List<String> buyers, long token) {
        int remaining = ledger.remaining(lot);
        if (remaining == 0) {
            return Allotment.same(new Outcome.SoldOut(), buyers);
        }
        work.run();
        Allotment allotment = new Allotment(lot, remaining, buyers, node, token);
        return ledger.write(allotment::write);
    }
}
