package io.belay;

import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A lease that does what another does, for those who add something to some of its methods. Each method calls that of the same
 * name, and no other one of this lease: who adds something to each release overrides {@link #release()}, {@link
 * #releaseAsync()}, {@link #releaseAfter} and {@link #close()}. Methods that are added to {@link Lease} are forwarded here, too.
 *
 * <p>Thread-safe, if what is added is. Blocks where the lease does.
 */
public abstract class ForwardingLease implements Lease {
    private final Lease lease;

    /** Makes a lease that does what that one does. */
    protected ForwardingLease(Lease lease) {
        this.lease = Objects.requireNonNull(lease, "lease");
    }

    /** Returns the lease that does it. */
    protected final Lease lease() {
        return lease;
    }

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public long token() {
        return lease.token();
    }

    @Override
    public LockMode mode() {
        return lease.mode();
    }

    @Override
    public OptionalInt replicas() {
        return lease.replicas();
    }

    @Override
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Override
    public Duration remaining() {
        return lease.remaining();
    }

    @Override
    public void ensureHeld() {
        lease.ensureHeld();
    }

    /** Adds the listener to the lease, and returns this one. */
    @Override
    public Lease onLost(Consumer<? super LeaseLostException> listener) {
        lease.onLost(listener);
        return this;
    }

    @Override
    public ReleaseOutcome release() {
        return lease.release();
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return lease.releaseAsync();
    }

    @Override
    public ReleaseOutcome releaseAfter(Duration delay) {
        return lease.releaseAfter(delay);
    }

    @Override
    public Duration extend(Duration duration) {
        return lease.extend(duration);
    }

    @Override
    public void close() {
        lease.close();
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
