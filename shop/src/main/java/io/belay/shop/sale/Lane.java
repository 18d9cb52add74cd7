package io.belay.shop.sale;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.shop.ledger.Lot;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Sells one segment on this node: some orders each time it has the segment's lock, until it is sold out. */
final class Lane {
    private static final int SALES_IN_A_ROW = 4;

    private final Stripes stripes;
    private final DistributedLock lock;
    private final Lot lot;
    private final Duration longestWait;
    private final SaleWriter writer;
    private final Executor sellers;
    private final LockFailures failures;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile boolean soldOut;

    Lane(
            Stripes stripes,
            DistributedLock lock,
            Lot lot,
            Duration longestWait,
            SaleWriter writer,
            Executor sellers,
            LockFailures failures) {
        this.stripes = stripes;
        this.lock = lock;
        this.lot = lot;
        this.longestWait = longestWait;
        this.writer = writer;
        this.sellers = sellers;
        this.failures = failures;
    }

    /** Begins to look for orders; false if it does so already, or has nothing left to sell. */
    boolean start() {
        if (soldOut || !busy.compareAndSet(false, true)) {
            return false;
        }
        var unused = lock.tryAcquireAsync()
                .handleAsync(
                        (lease, failure) -> {
                            if (failure == null && lease.isEmpty()) {
                                // Another segment may be free. Should none be, this one is waited for like all others.
                                stripes.wakeNext();
                            }
                            return had(lease, failure);
                        },
                        sellers);
        return true;
    }

    private void ask() {
        var unused = lock.tryAcquireAsync(longestWait).handleAsync(this::had, sellers);
    }

    /** Serves with the lease that was had; returns whether this lane goes on. */
    private boolean had(@Nullable Optional<Lease> lease, @Nullable Throwable failure) {
        if (failure != null) {
            stripes.take().ifPresent(order -> refuse(order, failure));
        } else if (lease != null) {
            lease.ifPresent(this::serve);
        }
        if (!soldOut && stripes.isWaitedFor()) {
            ask();
            return true;
        }
        busy.set(false);
        // One may have come before this lane could be started again.
        return stripes.isWaitedFor() && start();
    }

    private void refuse(PendingOrder order, Throwable failure) {
        try {
            order.tell(failures.outcome(failure));
        } catch (IllegalStateException e) {
            order.fail(e);
        }
    }

    /** Sells to some orders, if there are any: handing the lock on takes time in which nobody sells this segment. */
    private void serve(Lease lease) {
        try (lease) {
            for (int i = 0; i < SALES_IN_A_ROW && !soldOut && lease.isHeld(); i++) {
                Optional<PendingOrder> order = stripes.take();
                if (order.isEmpty()) {
                    return;
                }
                sell(order.get(), lease);
            }
        }
    }

    private void sell(PendingOrder order, Lease lease) {
        try {
            Outcome outcome = writer.sell(lot, order.buyer(), lease.token());
            if (outcome instanceof Outcome.SoldOut) {
                soldOut = true;
                stripes.passOn(order);
            } else {
                LockFailures.warnIfStale(outcome, lease);
                order.tell(outcome);
            }
        } catch (RuntimeException | Error e) {
            order.fail(e);
        }
    }
}
