package io.belay.shop.sale;

import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.shop.ledger.Lot;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Sells one segment on this node: an order each time it has the segment's lock, until the segment is sold out. */
final class Lane {
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

    /** True if this lane goes on. */
    private boolean had(@Nullable Optional<Lease> lease, @Nullable Throwable failure) {
        if (failure != null) {
            stripes.take().ifPresent(order -> refuse(order, failure));
        } else if (lease != null && lease.isPresent() && serve(lease.get())) {
            return true;
        }
        if (isWanted()) {
            ask();
            return true;
        }
        busy.set(false);
        // One may have come before this lane could be started again.
        return stripes.isWaitedFor() && start();
    }

    private boolean isWanted() {
        return !soldOut && stripes.isWaitedFor();
    }

    private void refuse(PendingOrder order, Throwable failure) {
        try {
            order.tell(failures.outcome(failure));
        } catch (IllegalStateException e) {
            order.fail(e);
        }
    }

    /** Sells to one order, if there is any; true if the lock has been asked for once more. */
    private boolean serve(Lease lease) {
        Optional<PendingOrder> taken = Optional.empty();
        boolean asked = false;
        try {
            Outcome outcome;
            try (lease) {
                taken = stripes.take();
                if (taken.isEmpty()) {
                    return false;
                }
                outcome = writer.sell(lot, taken.get().buyer(), lease.token());
                LockFailures.warnIfStale(outcome, lease);
                if (outcome instanceof Outcome.SoldOut) {
                    soldOut = true;
                }
                if (isWanted()) {
                    // Who asks before it releases gets the lock from itself until its slice is over.
                    asked = true;
                    ask();
                }
            }
            tell(taken.get(), outcome);
        } catch (RuntimeException | Error e) {
            taken.ifPresent(order -> order.fail(e));
        }
        return asked;
    }

    private void tell(PendingOrder order, Outcome outcome) {
        // This lane may have gone on meanwhile: only the outcome tells of this order.
        if (outcome instanceof Outcome.SoldOut) {
            stripes.passOn(order);
        } else {
            order.tell(outcome);
        }
    }
}
