package io.belay.node;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The order of what one client asks of one resource, kept where it matters: a service may run what it is sent together
 * in any order. Enters and looks come one after the other, and after the leaves before them; leaves wait for nothing.
 * Thread-safe.
 */
final class PerKeySequencer {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, CompletableFuture<Void>> last = new HashMap<>();

    /** Runs a step once all earlier ones for that resource have ended, at once if they have. */
    <T> CompletionStage<T> take(String resource, Supplier<CompletionStage<T>> step) {
        CompletableFuture<Void> own = new CompletableFuture<>();
        CompletableFuture<Void> before;
        lock.lock();
        try {
            before = last.put(resource, own);
        } finally {
            lock.unlock();
        }
        CompletableFuture<Void> ready =
                before == null ? CompletableFuture.completedFuture(null) : before.handle((done, error) -> null);
        // A step that throws fails so as well, and the next one has its turn.
        return ready.thenCompose(now -> step.get()).whenComplete((result, error) -> end(resource, own));
    }

    /** Makes later steps for that resource wait for this one, which waits for none. */
    <T> CompletionStage<T> precede(String resource, CompletionStage<T> step) {
        CompletableFuture<Void> own = new CompletableFuture<>();
        CompletableFuture<Void> before;
        lock.lock();
        try {
            before = last.put(resource, own);
        } finally {
            lock.unlock();
        }
        CompletionStage<?> both =
                before == null ? step : step.handle((done, error) -> null).thenCombine(before, (a, b) -> b);
        both.whenComplete((done, error) -> end(resource, own));
        return step;
    }

    private void end(String resource, CompletableFuture<Void> own) {
        lock.lock();
        try {
            @Nullable CompletableFuture<Void> present = last.get(resource);
            if (present == own) {
                last.remove(resource);
            }
        } finally {
            lock.unlock();
        }
        own.complete(null);
    }
}
