package io.belay.internal.gate;

import io.belay.Lease;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A waiter behind a future. The future is completed on the callback executor, where its dependents run; if somebody
 * else completed it first, by cancelling it for instance, the waiter leaves the queue, or gives back what it was
 * granted.
 *
 * @param <T> what the future yields
 */
public final class AsyncWaiter<T> extends Waiter {
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Function<Optional<Lease>, T> result;

    public AsyncWaiter(Gate gate, Request request, Function<Optional<Lease>, T> result) {
        super(gate, request);
        this.result = result;
    }

    public CompletableFuture<T> future() {
        future.whenComplete((value, error) -> {
            if (outcome() == null) {
                gate.giveUp(this);
            }
        });
        return future;
    }

    @Override
    void wake() {
        gate.engine().callbacks().run(this::complete);
    }

    private void complete() {
        Outcome outcome = Objects.requireNonNull(outcome());
        if (!complete(outcome)) {
            outcome.discard();
        }
    }

    private boolean complete(Outcome outcome) {
        Optional<Lease> lease;
        try {
            lease = outcome.lease();
        } catch (RuntimeException e) {
            return future.completeExceptionally(e);
        }
        return future.complete(result.apply(lease));
    }
}
