package io.belay.shop.sale;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.ledger.Lot;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sells under the lock of the sku. Waiting for it takes no thread; selling runs on the sellers' threads. */
public final class LockingDesk implements OrderDesk {
    private static final Logger log = LoggerFactory.getLogger(LockingDesk.class);

    private final Belay belay;
    private final Duration longestWait;
    private final SaleWriter writer;
    private final Executor sellers;
    private final LockFailures failures = new LockFailures();
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    public LockingDesk(Belay belay, Duration longestWait, SaleWriter writer, Executor sellers) {
        this.belay = belay;
        this.longestWait = longestWait;
        this.writer = writer;
        this.sellers = sellers;
    }

    /** A place at which one sku is sold. */
    private record Counter(DistributedLock lock, Gaps gaps) {}

    @Override
    public CompletableFuture<Outcome> order(String sku, String buyer) {
        Counter counter = counters.computeIfAbsent(sku, this::open);
        long asked = System.nanoTime();
        return counter.lock()
                .tryAcquireAsync(longestWait)
                .handleAsync(
                        (lease, failure) -> {
                            if (lease == null) {
                                return failures.outcome(failure);
                            }
                            return lease.map(held -> sell(counter, held, asked, sku, buyer))
                                    .orElseGet(() -> LockFailures.timeout(longestWait));
                        },
                        sellers);
    }

    private Counter open(String sku) {
        return new Counter(belay.lock(Ledger.lockName(sku)), new Gaps());
    }

    private Outcome sell(Counter counter, Lease lease, long asked, String sku, String buyer) {
        try (lease) {
            counter.gaps()
                    .entered(asked)
                    .ifPresent(gap ->
                            log.info("{} was handed over after {} ms without a sale by this node", lease.name(), gap));
            Outcome outcome = writer.sell(Lot.whole(sku), buyer, lease.token());
            counter.gaps().left();
            LockFailures.warnIfStale(outcome, lease);
            return outcome;
        }
    }

    /** Notices when the lock stood still for orders that waited: a holder died, and its lease had to end. */
    private static final class Gaps {
        private static final long WORTH_TELLING_NANOS = 500_000_000;

        private long last = System.nanoTime();

        /** Returns for how many milliseconds an order waited while none here was served; empty if not worth telling. */
        synchronized Optional<Long> entered(long asked) {
            long now = System.nanoTime();
            long gap = now - Math.max(last, asked);
            last = now;
            return gap < WORTH_TELLING_NANOS ? Optional.empty() : Optional.of(gap / 1_000_000);
        }

        synchronized void left() {
            last = System.nanoTime();
        }
    }
}
