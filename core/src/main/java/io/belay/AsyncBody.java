package io.belay;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Work under a lease that has its end told by a stage. */
final class AsyncBody {
    private AsyncBody() {}

    /** Starts the work, gives the lease back at its end, and then tells what it came to. */
    static <T> void run(Lease lease, Supplier<? extends CompletionStage<T>> body, CompletableFuture<T> result) {
        try {
            Objects.requireNonNull(body.get(), "the body returned no stage")
                    .whenComplete((value, error) -> ended(lease, value, error, result));
        } catch (Throwable e) { // which is told by the future, whatever it is; nobody else would give the lease back
            end(lease, null, e, result);
        }
    }

    private static <T> void ended(
            Lease lease, @Nullable T value, @Nullable Throwable error, CompletableFuture<@Nullable T> result) {
        if (error != null || lease.isHeld()) {
            end(lease, value, error, result);
            return;
        }
        try { // where the clocks leave it open, the store is asked, and this thread may not wait for it
            Thread asking = new Thread(null, () -> end(lease, value, loss(lease), result), "belay-body", 0, false);
            asking.setDaemon(true);
            asking.start();
        } catch (Throwable e) { // there is no thread left
            end(lease, value, e, result);
        }
    }

    private static <T> void end(
            Lease lease, @Nullable T value, @Nullable Throwable failure, CompletableFuture<@Nullable T> result) {
        try {
            lease.releaseAsync().whenComplete((outcome, never) -> {
                // The store may be the first to know that it was lost.
                Throwable known = failure == null && outcome == ReleaseOutcome.ALREADY_LOST ? loss(lease) : failure;
                if (known == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(known);
                }
            });
        } catch (Throwable e) { // as no memory is left; it is given back a moment later
            result.completeExceptionally(failure == null ? e : failure);
        }
    }

    private static @Nullable Throwable loss(Lease lease) {
        try {
            lease.ensureHeld();
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }
}
