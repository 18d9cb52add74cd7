package io.belay.jdbc;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockMode;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A lease that says what a fence asks of one, and can do nothing else. */
record TestLease(String name, long token) implements Lease {
    @Override
    public LockMode mode() {
        return LockMode.EXCLUSIVE;
    }

    @Override
    public OptionalInt replicas() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isHeld() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Duration remaining() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void ensureHeld() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Lease onLost(Consumer<? super LeaseLostException> listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ReleaseOutcome release() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ReleaseOutcome releaseAfter(Duration delay) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Duration extend(Duration duration) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
