package io.belay.shop.sale;

import io.belay.BelayException;
import io.belay.ClientClosedException;
import io.belay.Lease;
import io.belay.shop.sale.Outcome.Reason;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The meaning for an order of a lock that was not had, or not for long enough. Thread-safe. */
final class LockFailures {
    private static final Logger log = LoggerFactory.getLogger(LockFailures.class);

    private final AtomicLong lastWarning = new AtomicLong(System.nanoTime() - 2_000_000_000);

    static Outcome timeout(Duration longestWait) {
        return new Outcome.TryAgain(
                Reason.LOCK_TIMEOUT, "others had the lock for all of the " + longestWait.toMillis() + " ms");
    }

    /**
     * The outcome of an order whose lock failed.
     *
     * @throws IllegalStateException with the failure as its cause, if that was not foreseen
     */
    Outcome outcome(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ClientClosedException) {
            return Till.stopping();
        }
        if (cause instanceof BelayException) {
            warnOfStore(cause);
            return new Outcome.TryAgain(Reason.STORE_UNAVAILABLE, String.valueOf(cause.getMessage()));
        }
        throw new IllegalStateException("the lock failed", cause);
    }

    /** Warns of a sale that the guard refused. */
    static void warnIfStale(Outcome outcome, Lease lease) {
        if (outcome instanceof Outcome.TryAgain again && again.reason() == Reason.STALE_WRITE) {
            log.warn("{} with token {}: {}", lease.name(), lease.token(), again.message());
        }
    }

    /** Warns in one line a second at most: all orders that wait meet the same failure together. */
    private void warnOfStore(Throwable failure) {
        long now = System.nanoTime();
        long last = lastWarning.get();
        if (now - last > 1_000_000_000 && lastWarning.compareAndSet(last, now)) {
            log.warn("{}", failure.getMessage());
        }
    }
}
