package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Inspection;
import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The contract of processes that hold the lock or wait for it, and are killed or stopped. */
abstract class ProcessContract extends TwoClients {
    private static final Duration PICK_UP = Duration.ofNanos(Resource.PICK_UP * 1_000);

    /** A lease that is longer than a test: only what is noticed otherwise ends it. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private Duration waitersLease() {
        return spec.passesOverTheSilent() ? LONG : lease(premise.lease());
    }

    private Duration passedOverWithin() {
        return spec.passesOverTheSilent() ? PICK_UP : spec.endsWithin(waitersLease());
    }

    @BeforeEach
    void others() {
        assumeTrue(spec.isShared(), "the store is not shared with other processes");
    }

    @Test
    void aHolderThatIsKilledIsSucceededWithinItsLease() throws Exception {
        try (LockProcess child = LockProcess.start(spec.url(), "x", premise.lease())) {
            assertThat(child.line()).isEqualTo("held");
            Served next = new Served(queued(a.lock("x", brief())));
            hear();
            boolean early = next.waiting.isDone();
            premise.holds(!early || child.isHeld(), "a process that lives holds its lease");
            assertThat(early).as("granted while another process holds it").isFalse();
            child.kill();
            next.within(spec.endsWithin(premise.lease()), premise);
        }
    }

    @Test
    void aWaiterThatIsKilledIsPassedOverWithinThePickUpTime() throws Exception {
        assumeTrue(spec.queues(), "the store keeps no queue");
        Lease held = a.lock("x").acquire();
        try (LockProcess child = LockProcess.start(spec.url(), "x", waitersLease())) {
            awaitClaims("x", 2);
            Served behind = new Served(queued(b.lock("x")));
            child.kill();
            giveBack(held);
            behind.within(passedOverWithin(), premise);
        }
    }

    @Test
    void aHolderAndAWaiterThatAreKilledTogetherAreSucceededWithinTheirLease() throws Exception {
        assumeTrue(spec.queues(), "the store keeps no queue");
        try (LockProcess holder = LockProcess.start(spec.url(), "x", premise.lease());
                LockProcess waiter = LockProcess.start(spec.url(), "x", premise.lease())) {
            // Either may come first. Who is not run in time to renew its lease has lost it, and does not ask again.
            try {
                awaitClaims("x", 2);
            } catch (ConditionTimeoutException e) {
                premise.holds(!holder.hasLost() && !waiter.hasLost(), "two processes that live keep their claims");
                throw e;
            }
            Served behind = new Served(queued(b.lock("x", brief())));
            holder.kill();
            waiter.kill();
            behind.within(spec.endsWithin(premise.lease()), premise);
        }
    }

    /** Takes a lock whose holder was stopped: where that was amid a step of the store, it keeps the store from others. */
    private Lease afterStop(String name) throws Exception {
        try {
            return soon(queued(a.lock(name)));
        } catch (TimeoutException | ConditionTimeoutException e) {
            premise.happens(isDecided(name), "a process is not stopped amid a step of the store");
            throw e;
        }
    }

    /** Returns whether the store comes to say who has the lock, to a client that has not asked for it yet. */
    private boolean isDecided(String name) throws InterruptedException {
        try {
            b.lock(name).tryAcquire(A_WHILE).ifPresent(Lease::release);
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aProcessThatIsStoppedPastItsLeaseKnowsThatItHoldsNothing() throws Exception {
        try (LockProcess child = LockProcess.start(spec.url(), "x", lease(Pace.HERE.lease()))) {
            assertThat(child.line()).isEqualTo("held");
            child.suspend();
            Lease next = afterStop("x");
            child.resume();
            assertThat(child.finish()).as("whether it believes to hold it").isEqualTo("false");
            assertThat(next.isHeld()).isTrue();
            giveBack(next);
        }
    }

    /** Where the store does not tell when a client was heard of, nothing is shown. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aHolderThatIsStoppedIsNotShownToHaveBeenHeardOfSince() throws Exception {
        try (LockProcess child = LockProcess.start(spec.url(), "x", options().lease())) {
            assertThat(child.line()).isEqualTo("held");
            child.suspend();
            long stopped = System.nanoTime();
            eventually().until(() -> System.nanoTime() - stopped > 2 * A_WHILE.toNanos());
            List<Inspection.Claim> seen = answered(() -> a.admin().inspect("x").claims());
            child.resume();
            premise.happens(seen.size() == 1, "a holder that is stopped for a while keeps its lease");
            assertThat(seen.get(0).heard().orElse(A_WHILE)).isGreaterThanOrEqualTo(A_WHILE);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aWaiterThatIsStoppedIsPassedOverWithinThePickUpTimeAndServedLater() throws Exception {
        assumeTrue(spec.queues(), "the store keeps no queue");
        Lease held = a.lock("x").acquire();
        try (LockProcess child = LockProcess.start(spec.url(), "x", waitersLease())) {
            awaitClaims("x", 2);
            Served behind = new Served(queued(b.lock("x")));
            child.suspend();
            giveBack(held);
            behind.within(passedOverWithin(), premise);
            child.resume();
            assertThat(child.line()).as("it takes its turn again").isEqualTo("held");
            Optional<Lease> other = a.lock("x").tryAcquire();
            premise.holds("true".equals(child.finish()), "a process that lives holds its lease");
            assertThat(other).isEmpty();
        }
        giveBack(soon(a.lock("x").acquireAsync()));
    }
}
