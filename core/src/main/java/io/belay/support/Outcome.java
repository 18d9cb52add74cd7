package io.belay.support;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What a stage comes to, handed on to a future that was made before. */
public final class Outcome {
    private Outcome() {}

    /** Returns what is to be done when a stage completes, so that the future does alike. */
    public static <T extends @Nullable Object> BiConsumer<T, @Nullable Throwable> to(CompletableFuture<T> told) {
        Objects.requireNonNull(told, "told");
        return (result, error) -> {
            if (error == null) {
                told.complete(result);
            } else {
                told.completeExceptionally(error);
            }
        };
    }
}
