package io.belay.trials.plant;

import io.belay.DistributedLock;
import io.belay.Lease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Hands each grant to whichever thread of its client asked last. Thread-safe. */
public final class LastFirst {
    private final ConcurrentLinkedDeque<CompletableFuture<Lease>> waiting = new ConcurrentLinkedDeque<>();

    /** Waits for a lock, of which there must be but one. */
    public CompletableFuture<Lease> acquire(DistributedLock lock) {
        CompletableFuture<Lease> own = new CompletableFuture<>();
        waiting.push(own);
        lock.acquireAsync().whenComplete((lease, failure) -> {
            if (failure == null) {
                waiting.pop().complete(lease);
            } else {
                waiting.pop().completeExceptionally(failure);
            }
        });
        return own;
    }
}
