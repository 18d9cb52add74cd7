package io.belay.node;

import io.belay.support.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The requests that are under way, by key: whoever asks for the same meanwhile shares one, and the service is asked once.
 * Thread-safe.
 */
final class UnderWay<K, T> {
    private final ConcurrentHashMap<K, CompletableFuture<T>> all = new ConcurrentHashMap<>();

    /** Returns what is under way for the key, or else begins it. Whoever asks once it is over begins it anew. */
    CompletionStage<T> join(K key, Supplier<CompletionStage<T>> begin) {
        CompletableFuture<T> own = new CompletableFuture<>();
        CompletableFuture<T> before = all.putIfAbsent(key, own);
        if (before != null) {
            return before;
        }
        // What throws is over so as well.
        CompletableFuture.completedFuture(null)
                .thenCompose(now -> begin.get())
                .whenComplete((result, error) -> all.remove(key, own))
                .whenComplete(Outcome.to(own));
        return own;
    }

    /** Has whoever asks from now on begin anew, whether or not it is over. */
    void forget(K key) {
        all.remove(key);
    }
}
