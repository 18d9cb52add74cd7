package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A lease of a client that may not hear of its store for a while. As long as it is held a thread looks every few
 * milliseconds when it is to end, so that it is known by how much too late its loss was told.
 */
final class WatchedLease implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(2);

    private final Lease lease;
    private final CompletableFuture<Long> told = new CompletableFuture<>();
    private final Thread thread = new Thread(this::watch, "tck-lease");
    /** The instant at which it is to end, as a {@link System#nanoTime()}. */
    private volatile long deadline;

    private volatile boolean shared;

    WatchedLease(Lease lease) {
        this.lease = lease;
        deadline = System.nanoTime() + lease.remaining().toNanos();
        lease.onLost(loss -> told.complete(System.nanoTime()));
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            while (true) {
                long now = System.nanoTime();
                Duration remaining = lease.remaining();
                if (remaining.isZero() || !lease.isHeld()) {
                    return;
                }
                deadline = now + remaining.toNanos();
                TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            }
        } catch (InterruptedException e) {
            // It was closed.
        }
    }

    Lease lease() {
        return lease;
    }

    /** Notes whether the lease is still held when another client is granted the lock. */
    CompletableFuture<Lease> notHeldBeside(CompletableFuture<Lease> next) {
        return next.thenApply(granted -> {
            shared |= lease.isHeld();
            return granted;
        });
    }

    void assertNotShared() {
        assertThat(shared)
                .as("'%s' held while another client has it", lease.name())
                .isFalse();
    }

    /** Returns how long after its deadline the loss was told; less than zero if that was before it. */
    Duration toldLate(long seconds) throws InterruptedException, ExecutionException, TimeoutException {
        return Duration.ofNanos(told.get(seconds, TimeUnit.SECONDS) - deadline);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
