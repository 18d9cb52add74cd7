package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Other processes that hold the lock or wait for it, and are killed or stopped. */
abstract class ProcessContract extends TwoClients {
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** Longer than a test: only what is noticed otherwise ends it. */
    private static final Duration LONG = Duration.ofMinutes(5);

    @BeforeEach
    void others() {
        assumeTrue(spec.isShared(), "the store is not shared with other processes");
    }

    @Test
    void aProcessIsKilledWhileItHoldsTheLock() throws Exception {
        try (LockProcess child = LockProcess.start(spec.url(), "x", LEASE)) {
            assertThat(child.line()).isEqualTo("held");
            CompletableFuture<Lease> next = queued(a.lock("x"));
            staysUndone(next);
            child.kill();
            giveBack(soon(next));
        }
    }

    @Test
    void aProcessIsKilledWhileItWaits() throws Exception {
        assumeTrue(spec.queues(), "the store keeps no queue");
        Lease held = a.lock("x").acquire();
        try (LockProcess child = LockProcess.start(spec.url(), "x", lease(LONG))) {
            awaitClaims("x", 2);
            CompletableFuture<Lease> behind = queued(b.lock("x"));
            child.kill();
            giveBack(held);
            giveBack(soon(behind));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aProcessThatIsStoppedPastItsLeaseKnowsThatItHoldsNothing() throws Exception {
        try (LockProcess child = LockProcess.start(spec.url(), "x", LEASE)) {
            assertThat(child.line()).isEqualTo("held");
            child.suspend();
            Lease next = soon(queued(a.lock("x")));
            child.resume();
            assertThat(child.finish()).as("whether it believes to hold it").isEqualTo("false");
            assertThat(next.isHeld()).isTrue();
            giveBack(next);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aProcessThatIsStoppedWhileItWaitsIsPassedOverAndServedLater() throws Exception {
        assumeTrue(spec.queues(), "the store keeps no queue");
        Lease held = a.lock("x").acquire();
        try (LockProcess child = LockProcess.start(spec.url(), "x", lease(LONG))) {
            awaitClaims("x", 2);
            CompletableFuture<Lease> behind = queued(b.lock("x"));
            child.suspend();
            giveBack(held);
            giveBack(soon(behind));
            child.resume();
            assertThat(child.line()).as("it takes its turn again").isEqualTo("held");
            assertThat(a.lock("x").tryAcquire()).isEmpty();
            assertThat(child.finish()).isEqualTo("true");
        }
        giveBack(soon(a.lock("x").acquireAsync()));
    }
}
