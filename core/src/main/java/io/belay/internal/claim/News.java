package io.belay.internal.claim;

import io.belay.internal.time.StepLock;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The future of those who wait for a claim's next answer, or for its end. Guarded by the claim's {@link StepLock}. */
final class News {
    private final StepLock steps;
    private @Nullable CompletableFuture<Void> next;

    News(StepLock steps) {
        this.steps = steps;
    }

    /** Returns the future that is done with the next answer, or with the claim's end. */
    CompletableFuture<Void> next() {
        CompletableFuture<Void> present = next;
        if (present == null) {
            present = new CompletableFuture<>();
            next = present;
        }
        return present;
    }

    /** Completes the future, once the lock is given back. */
    void tell() {
        CompletableFuture<Void> told = next;
        next = null;
        if (told != null) {
            steps.later(() -> told.complete(null));
        }
    }
}
