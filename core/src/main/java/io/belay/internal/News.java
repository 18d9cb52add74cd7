package io.belay.internal;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Those who wait for the next answer about a claim, or for its end. Guarded by the claim's {@link Exclusive}. */
final class News {
    private final Exclusive exclusive;
    private @Nullable CompletableFuture<Void> next;

    News(Exclusive exclusive) {
        this.exclusive = exclusive;
    }

    /** What is done with the next news. */
    CompletableFuture<Void> next() {
        CompletableFuture<Void> present = next;
        if (present == null) {
            present = new CompletableFuture<>();
            next = present;
        }
        return present;
    }

    /** There are some: whoever waits is told once the lock is given back. */
    void tell() {
        CompletableFuture<Void> told = next;
        next = null;
        if (told != null) {
            exclusive.later(() -> told.complete(null));
        }
    }
}
