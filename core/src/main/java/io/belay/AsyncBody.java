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
        CompletionStage<T> work;
        try {
            work = Objects.requireNonNull(body.get(), "the body returned no stage");
        } catch (Throwable e) { // which is told by the future, whatever it is
            work = CompletableFuture.failedStage(e);
        }
        work.whenComplete((value, error) -> {
            Throwable failure = error == null ? loss(lease) : error;
            lease.releaseAsync().whenComplete((outcome, never) -> {
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(failure);
                }
            });
        });
    }

    private static @Nullable Throwable loss(Lease lease) {
        try {
            lease.ensureHeld();
            return null;
        } catch (LeaseLostException e) {
            return e;
        }
    }
}
