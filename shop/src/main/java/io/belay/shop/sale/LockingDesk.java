package io.belay.shop.sale;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.ClosedException;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.shop.ledger.Ledger;
import io.belay.shop.sale.Outcome.Reason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sells under the lock of the sku. Waiting for it takes no thread; selling runs on the sellers' threads. */
public final class LockingDesk implements OrderDesk {
    private static final Logger log = LoggerFactory.getLogger(LockingDesk.class);

    private final Belay belay;
    private final Duration longestWait;
    private final SaleWriter writer;
    private final Executor sellers;
    private final AtomicLong lastWarning = new AtomicLong(System.nanoTime() - 2_000_000_000);
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    public LockingDesk(Belay belay, Duration longestWait, SaleWriter writer, Executor sellers) {
        this.belay = belay;
        this.longestWait = longestWait;
        this.writer = writer;
        this.sellers = sellers;
    }

    /** Where one sku is sold. */
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
                                return refusal(failure);
                            }
                            return lease.map(held -> sell(counter, held, asked, sku, buyer))
                                    .orElseGet(() -> new Outcome.TryAgain(
                                            Reason.LOCK_TIMEOUT,
                                            "others had the lock for all of the " + longestWait.toMillis() + " ms"));
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
            Outcome outcome = writer.sell(sku, buyer, lease.token());
            counter.gaps().left();
            if (outcome instanceof Outcome.TryAgain again && again.reason() == Reason.STALE_WRITE) {
                log.warn("{} with token {}: {}", lease.name(), lease.token(), again.message());
            }
            return outcome;
        }
    }

    private Outcome refusal(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ClosedException) {
            return Till.stopping();
        }
        if (cause instanceof BelayException) {
            warnOfStore(cause);
            return new Outcome.TryAgain(Reason.STORE_UNAVAILABLE, "the store of the locks did not answer in time");
        }
        throw new IllegalStateException("the lock failed", cause);
    }

    /** One line a second: all who wait meet the same failure together. */
    private void warnOfStore(Throwable failure) {
        long now = System.nanoTime();
        long last = lastWarning.get();
        if (now - last > 1_000_000_000 && lastWarning.compareAndSet(last, now)) {
            log.warn("{}", failure.getMessage());
        }
    }

    /** Notices when the lock stood still for those who waited: a holder died, and its lease had to end. */
    private static final class Gaps {
        private static final long WORTH_TELLING_NANOS = 500_000_000;

        private long last = System.nanoTime();

        /** How long nobody of this node was served although somebody waited; empty if it is not worth telling. */
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
