package io.belay.recipes;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The leases of a {@link MultiLock}, added one after the other before anybody else sees it. */
final class HeldTogether implements MultiLease {
    private final String name;
    private final List<Lease> leases;
    private String loss = "";

    HeldTogether(String name, int count) {
        this.name = name;
        leases = new ArrayList<>(count);
    }

    void add(Lease lease) {
        leases.add(lease);
    }

    /** Begins to release the locks that were had so far, each whatever becomes of the others, without waiting for the outcome. */
    void discard() {
        Error failed = null;
        for (Lease lease : leases) {
            try {
                var unused = lease.releaseAsync();
            } catch (Error e) { // as no memory is left
                failed = e;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    /** Returns whether all are held; where the clocks leave that open, waits for the store's answer. */
    boolean isHeldForSure() {
        try {
            ensureHeld();
            return true;
        } catch (LeaseLostException e) {
            loss = String.valueOf(e.getMessage());
            return false;
        }
    }

    /** Returns why they were not all held when the store was asked last; empty if they were. */
    String loss() {
        return loss;
    }

    @Override
    public List<Lease> leases() {
        return List.copyOf(leases);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isHeld() {
        return leases.stream().allMatch(Lease::isHeld);
    }

    @Override
    public Duration remaining() {
        return leases.stream().map(Lease::remaining).min(Duration::compareTo).orElse(Duration.ZERO);
    }

    @Override
    public void ensureHeld() {
        leases.forEach(Lease::ensureHeld);
    }

    @Override
    public MultiLease onLost(Consumer<? super LeaseLostException> listener) {
        Objects.requireNonNull(listener, "listener");
        AtomicBoolean told = new AtomicBoolean();
        leases.forEach(lease -> lease.onLost(loss -> {
            if (told.compareAndSet(false, true)) {
                listener.accept(loss);
            }
        }));
        return this;
    }

    @Override
    public ReleaseOutcome release() {
        discard(); // all at once
        return worst(leases.stream().map(Lease::release));
    }

    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        discard();
        List<CompletableFuture<ReleaseOutcome>> begun =
                leases.stream().map(Lease::releaseAsync).toList();
        return CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new))
                .thenApply(done -> worst(begun.stream().map(CompletableFuture::join)));
    }

    /** Throws if one was lost as it was given back: the store may be the first to know. */
    static void ensureReleased(List<Lease> leases) {
        leases.stream()
                .filter(lease -> lease.release() == ReleaseOutcome.ALREADY_LOST)
                .forEach(Lease::ensureHeld);
    }

    private static ReleaseOutcome worst(Stream<ReleaseOutcome> outcomes) {
        List<ReleaseOutcome> all = outcomes.toList();
        if (all.contains(ReleaseOutcome.ALREADY_LOST)) {
            return ReleaseOutcome.ALREADY_LOST;
        }
        return all.contains(ReleaseOutcome.UNKNOWN) ? ReleaseOutcome.UNKNOWN : ReleaseOutcome.RELEASED;
    }

    @Override
    public void close() {
        discard(); // all at once
        leases.forEach(Lease::close); // each waits, and logs for itself
    }

    @Override
    public String toString() {
        return "Lease of '" + name + "'";
    }
}
