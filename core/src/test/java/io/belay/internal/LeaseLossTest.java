package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.internal.TestWorld.Node;
import io.belay.spi.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a lease is lost, that its holder is told, and that nothing says "held" again. */
class LeaseLossTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    @Test
    void aHeldLeaseIsRenewedForAsLongAsTheStoreAnswers() {
        Lease lease = held(a.lock("x").acquireAsync());
        world.pass(Duration.ofMinutes(10));
        int before = a.line().sent.size();
        assertThat(lease.isHeld()).isTrue();
        assertThat(a.line().sent).as("to look costs no request").hasSize(before);
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(19));
        assertThat(a.sent(Request.Renew.class)).isBetween(59L, 64L);
    }

    /** As where there is no memory for a moment: nothing but its timer would wake it again. */
    @Test
    void aLeaseIsRenewedThoughAnErrorEndsTheStepOfItsTimer() {
        Lease lease = held(a.lock("x").acquireAsync());
        world.failIn("Gate.fire", 0);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void theHolderIsToldAtTheDeadlineThoughTheNetworkIsSilent() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> told.add(loss.getMessage()));
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofSeconds(29));
        assertThat(lease.isHeld()).isTrue();
        assertThat(told).isEmpty();
        world.pass(Duration.ofSeconds(1));
        assertThat(told).singleElement().asString().contains("'x'", "could not be renewed");
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void onceLostALeaseIsNeverHeldAgainThoughTheStoreComesBack() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        world.pass(Duration.ofSeconds(31));
        assertThat(lease.isHeld()).isFalse();
        a.line().up();
        world.pass(Duration.ofMinutes(2));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(world.claims("x")).isEmpty();
        assertThat(a.size()).isZero();
    }

    @Test
    void aHolderThatWasStoppedPastItsLeaseIsToldBeforeIsHeldCanSayYes() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> told.add(loss.getMessage()));
        world.freeze(Duration.ofSeconds(31)); // no timer has run: the process was stopped
        assertThat(lease.isHeld()).isFalse();
        assertThat(told).hasSize(1);
        CompletableFuture<Lease> next = b.lock("x").acquireAsync();
        assertThat(held(next).token()).isGreaterThan(lease.token());
        world.pass(Duration.ofMinutes(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(told).hasSize(1);
    }

    @Test
    void aListenerThatIsAddedAfterTheLossIsCalledAtOnce() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofSeconds(31));
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> told.add(loss.getMessage()));
        assertThat(told).hasSize(1);
    }

    @Test
    void aListenerIsNotCalledForALeaseThatWasReleased() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> told.add(loss.getMessage()));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        world.pass(Duration.ofMinutes(2));
        assertThat(told).isEmpty();
    }

    @Test
    void aLossThatTheReleaseIsTheFirstToFindIsToldToo() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> told.add(loss.getMessage()));
        world.freeze(Duration.ofSeconds(31)); // no timer has run: the process was stopped
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(told).hasSize(1);
    }

    @Test
    void aFailingListenerKeepsNoOtherFromBeingCalled() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> {
            throw new IllegalStateException("on purpose");
        });
        lease.onLost(loss -> told.add("second"));
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofSeconds(31));
        assertThat(told).containsExactly("second");
    }

    @Test
    void theDeadlineCountsFromBeforeTheRequestWasSentNotFromItsAnswer() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK; // renewals run late: at the store just before the deadline
        world.pass(Duration.ofSeconds(29));
        a.line().up(); // the renewal sent at 10 s has run at 29 s: the store grants until 59 s
        Duration remaining = lease.remaining();
        assertThat(remaining).isLessThanOrEqualTo(Duration.ofSeconds(30));
        assertThat(lease.isHeld()).isTrue();
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofSeconds(29));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aSuspendedMachineMakesALeaseUnsureUntilARenewalHasAnswered() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        world.time.suspend(Duration.ofSeconds(5));
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::ensureHeld).hasMessageContaining("suspended");
        a.line().up();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void maxHoldEndsTheLeaseOfAHungJobAndTheNextIsGranted() {
        Lease lease = held(a.lock("x", LockOptions.defaults().withMaxHold(Duration.ofMinutes(5)))
                .acquireAsync());
        CompletableFuture<Lease> next = b.lock("x").acquireAsync();
        world.pass(Duration.ofSeconds(299));
        assertThat(lease.isHeld()).isTrue();
        assertThat(next).isNotDone();
        world.pass(Duration.ofSeconds(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(held(next).isHeld()).isTrue();
        assertThatThrownBy(lease::ensureHeld).hasMessageContaining("maxHold");
    }

    @Test
    void aFixedLeaseIsNotRenewedAndNeedsNoStoreToLast() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofMinutes(10));
        Lease lease = held(a.lock("x", fixed).acquireAsync());
        a.line().line = FaultyStore.Line.SILENT; // longer than the default lease
        world.pass(Duration.ofMinutes(9));
        assertThat(lease.isHeld()).isTrue();
        CompletableFuture<Lease> next = b.lock("x").acquireAsync();
        world.pass(Duration.ofSeconds(55));
        assertThat(lease.isHeld()).isFalse();
        world.pass(Duration.ofSeconds(6));
        assertThat(held(next).isHeld()).isTrue();
    }

    @Test
    void aFixedLeaseThatWasWaitedForStartsWhenItIsPickedUp() {
        Lease first = held(a.lock("x").acquireAsync());
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofMinutes(1));
        CompletableFuture<Lease> waiting = b.lock("x", fixed).acquireAsync();
        world.pass(Duration.ofMinutes(5));
        first.release();
        world.pass(Duration.ZERO);
        Lease lease = held(waiting);
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(58));
        world.pass(Duration.ofSeconds(61));
        assertThat(lease.isHeld()).isFalse();
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aForcedReleaseIsToldToTheOldHolderAtOnce() {
        Lease lease = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> next = b.lock("x").acquireAsync();
        assertThat(b.client().admin().forceRelease("x")).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(held(next).token()).isGreaterThan(lease.token());
        next.join().release();
        assertThat(b.client().admin().forceRelease("x")).isFalse();
    }

    @Test
    void aForcedReleaseWhosePushIsLostIsToldByTheNextRenewal() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().pushesLost = true;
        b.client().admin().forceRelease("x");
        world.pass(Duration.ofSeconds(11));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void theStoreForgetsWhoTookItByForce() {
        for (int i = 0; i < 10; i++) {
            a.lock("x" + i).tryAcquire().orElseThrow();
            b.client().admin().forceRelease("x" + i);
        }
        for (int i = 0; i < 2; i++) { // they are empty first, and forgotten later
            world.pass(Duration.ofMinutes(3));
            b.lock("y").tryAcquire().orElseThrow().release();
        }
        assertThat(world.store.size()).as("y alone").isEqualTo(1);
    }
}
