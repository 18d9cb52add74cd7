package io.belay.shop.sale;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An order that waits for a sale, but not for ever: it is sold or timed out, not both. Thread-safe. */
final class PendingOrder {
    private final String buyer;
    private final Duration longestWait;
    private final long asked;
    private final CompletableFuture<Outcome> outcome;
    /** A future that is true once a sale takes the order, false once its time is over. */
    private final CompletableFuture<Boolean> taken = new CompletableFuture<>();

    private PendingOrder(String buyer, Duration longestWait, long asked, CompletableFuture<Outcome> outcome) {
        this.buyer = buyer;
        this.longestWait = longestWait;
        this.asked = asked;
        this.outcome = outcome;
        long left = longestWait.toNanos() - (System.nanoTime() - asked);
        var unused = taken.completeOnTimeout(false, Math.max(0, left), TimeUnit.NANOSECONDS)
                .thenAccept(sold -> {
                    if (!sold) {
                        outcome.complete(LockFailures.timeout(longestWait));
                    }
                });
    }

    static PendingOrder of(String buyer, Duration longestWait) {
        return new PendingOrder(buyer, longestWait, System.nanoTime(), new CompletableFuture<>());
    }

    String buyer() {
        return buyer;
    }

    /** Takes the order; returns false if it is taken or timed out. Who takes it tells its outcome, or waits again. */
    boolean take() {
        return taken.complete(true);
    }

    /** Returns an order in place of one that was taken and not sold: it waits for what is left of its time. */
    PendingOrder again() {
        return new PendingOrder(buyer, longestWait, asked, outcome);
    }

    void tell(Outcome came) {
        outcome.complete(came);
    }

    void fail(Throwable unforeseen) {
        outcome.completeExceptionally(unforeseen);
    }

    CompletableFuture<Outcome> outcome() {
        return outcome;
    }
}
