package io.belay.shop.sale;

import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Lot;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sells in two transactions with the work between them, so that the ledger serves others meanwhile: SQLite has one
 * writer at a time for the whole file, and elsewhere each sale under way would keep a connection. The first raises
 * the fence before it reads. The second raises it once more: if that is refused, a successor has read the stock in
 * between, and nothing is written; if not, what was read is still true, as successors raise before they read.
 */
public final class SplitSale implements SaleWriter {
    private final Ledger ledger;
    private final Work work;
    private final String node;
    private final Map<Lot, Left> lefts = new ConcurrentHashMap<>();

    public SplitSale(Ledger ledger, Work work, String node) {
        this.ledger = ledger;
        this.work = work;
        this.node = node;
    }

    /** The units that a sale has left, which are as good as read by the next one under the same token. */
    private record Left(long token, int units) {}

    @Override
    public List<Outcome> sell(Lot lot, List<String> buyers, long token) {
        Left left = lefts.remove(lot);
        OptionalInt remaining = left != null && left.token() == token ? OptionalInt.of(left.units()) : read(lot, token);
        if (remaining.isEmpty()) {
            return Allotment.same(GuardedSale.stale(), buyers);
        }
        if (remaining.getAsInt() == 0) {
            return Allotment.same(new Outcome.SoldOut(), buyers);
        }
        work.run();
        Allotment allotment = new Allotment(lot, remaining.getAsInt(), buyers, node, token);
        boolean written = ledger.write(transaction -> {
            boolean newest = transaction.raiseFence(lot.lockName(), token);
            if (newest) {
                allotment.write(transaction);
            }
            return newest;
        });
        if (!written) {
            return Allotment.same(GuardedSale.stale(), buyers);
        }
        lefts.put(lot, new Left(token, allotment.left()));
        return allotment.outcomes();
    }

    private OptionalInt read(Lot lot, long token) {
        return ledger.write(transaction -> transaction.raiseFence(lot.lockName(), token)
                ? OptionalInt.of(transaction.remaining(lot))
                : OptionalInt.empty());
    }
}
