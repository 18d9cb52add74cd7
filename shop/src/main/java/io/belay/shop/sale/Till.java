package io.belay.shop.sale;

import io.belay.shop.ledger.LedgerException;
import io.belay.shop.ledger.Lot;
import io.belay.shop.ledger.OutcomeUnknownException;
import io.belay.shop.sale.Outcome.Reason;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of all sales of this node: it says what a failure means for the buyer, and can be shut. */
public final class Till implements SaleWriter, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Till.class);
    private static final int LONGEST_SALE_SECONDS = 5;

    private final SaleWriter writer;
    // Those who sell share it; who shuts the till has it alone.
    private final ReadWriteLock open = new ReentrantReadWriteLock();
    private volatile boolean shut;

    public Till(SaleWriter writer) {
        this.writer = writer;
    }

    @Override
    public List<Outcome> sell(Lot lot, List<String> buyers, long token) {
        // Not behind the one who shuts it, who waits for the sale under way.
        if (shut) {
            return Allotment.same(stopping(), buyers);
        }
        open.readLock().lock();
        try {
            return shut ? Allotment.same(stopping(), buyers) : writer.sell(lot, buyers, token);
        } catch (OutcomeUnknownException e) {
            log.warn("{}", e.getMessage());
            return Allotment.same(new Outcome.Unknown(messageOf(e)), buyers);
        } catch (LedgerException e) {
            log.warn("{}", e.getMessage());
            return Allotment.same(new Outcome.TryAgain(Reason.LEDGER_UNAVAILABLE, messageOf(e)), buyers);
        } finally {
            open.readLock().unlock();
        }
    }

    static Outcome stopping() {
        return new Outcome.TryAgain(Reason.STOPPING, "this node is stopping");
    }

    private static String messageOf(LedgerException e) {
        return String.valueOf(e.getMessage());
    }

    /** Refuses further sales, then waits for those that have begun, for 5 s at most. */
    @Override
    public void close() {
        shut = true;
        try {
            if (open.writeLock().tryLock(LONGEST_SALE_SECONDS, TimeUnit.SECONDS)) {
                open.writeLock().unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
