package io.belay.internal;

import io.belay.Lease;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A future that waits. It is completed on the callback executor, where its dependents run; if somebody else completed
 * it first, by cancelling it for instance, the waiter leaves the queue, or gives back what it was granted.
 *
 * @param <T> what the future yields
 */
final class AsyncWaiter<T> extends Waiter {
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Function<Optional<Lease>, T> result;

    AsyncWaiter(Gate gate, Request request, Function<Optional<Lease>, T> result) {
        super(gate, request);
        this.result = result;
    }

    CompletableFuture<T> future() {
        future.whenComplete((value, error) -> {
            if (outcome() == null) {
                gate.giveUp(this);
            }
        });
        return future;
    }

    @Override
    void wake() {
        gate.engine().callback(this::complete, this::refused);
    }

    /** There is no callback executor any more, as the client is closed; who waits must be told all the same. */
    private void refused() {
        giveBack();
        RuntimeException reason = outcome() instanceof Failure failure
                ? failure.get()
                : Messages.closed(gate.name()).get();
        // Not here: dependents are the user's, and this is the engine's thread.
        var unused = CompletableFuture.runAsync(() -> future.completeExceptionally(reason));
    }

    private void complete() {
        Object outcome = outcome();
        boolean taken;
        if (outcome instanceof Failure failure) {
            taken = future.completeExceptionally(failure.get());
        } else {
            taken = future.complete(result.apply(outcome instanceof Hold hold ? Optional.of(hold) : Optional.empty()));
        }
        if (!taken) {
            giveBack();
        }
    }

    private void giveBack() {
        if (outcome() instanceof Hold hold) {
            hold.releaseUnawaited();
        }
    }
}
