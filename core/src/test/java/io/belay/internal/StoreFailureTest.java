package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.spi.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What waiters and holders meet while the store fails. */
class StoreFailureTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    @Test
    void whileTheStoreIsSilentATimedWaitFailsAtItsDeadlineAndIsNeverEmpty() {
        a.line().line = FaultyStore.Line.SILENT;
        CompletableFuture<Optional<Lease>> timed = a.lock("x").tryAcquireAsync(Duration.ofSeconds(5));
        CompletableFuture<Optional<Lease>> atOnce = a.lock("y").tryAcquireAsync();
        world.pass(Duration.ofMillis(4_999));
        assertThat(timed).isNotDone();
        world.pass(Duration.ofMillis(1));
        assertThatThrownBy(timed::join).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(atOnce::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void aStoreThatRefusesIsNamedInTheMessage() {
        a.line().line = FaultyStore.Line.REFUSED;
        CompletableFuture<Optional<Lease>> timed = a.lock("x").tryAcquireAsync(Duration.ofSeconds(5));
        world.pass(Duration.ofSeconds(5));
        assertThatThrownBy(timed::join).hasMessageContaining("connection refused by the test");
    }

    @Test
    void whatFailedOnAFormerConnectionIsNotTheReasonAnyMore() {
        held(b.lock("x").acquireAsync());
        CompletableFuture<Optional<Lease>> timed = a.lock("x").tryAcquireAsync(Duration.ofSeconds(6));
        a.line().line = FaultyStore.Line.REFUSED;
        world.pass(Duration.ofSeconds(3));
        a.line().line = FaultyStore.Line.SILENT;
        a.engine().reconnected();
        world.pass(Duration.ofSeconds(3));
        assertThatThrownBy(timed::join).hasMessageContaining("not answered a request within 2000 ms");
    }

    @Test
    void acquireKeepsTryingUntilTheStoreIsBack() {
        a.line().line = FaultyStore.Line.REFUSED;
        CompletableFuture<Lease> waiting = a.lock("x").acquireAsync();
        world.pass(Duration.ofMinutes(5));
        assertThat(waiting).isNotDone();
        assertThat(a.line().sent.size()).isLessThan(700); // a capped back-off, not a storm
        a.line().up();
        world.pass(Duration.ofMillis(500));
        assertThat(held(waiting).isHeld()).isTrue();
    }

    @Test
    void anEnterWhoseAnswerWasLostIsSentAgainAndFindsItsClaim() {
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        CompletableFuture<Lease> waiting = a.lock("x").acquireAsync();
        a.line().up();
        world.pass(Duration.ofSeconds(2));
        assertThat(held(waiting).isHeld()).isTrue();
        assertThat(world.claims("x")).hasSize(1);
    }

    @Test
    void anEnterThatIsOvertakenByItsLeaveLeavesNoOrphan() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Lease> waiting = a.lock("x").acquireAsync();
        a.line().line = FaultyStore.Line.UP;
        waiting.cancel(true); // its leave overtakes the enter
        a.line().up(); // now the enter runs
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aStoreThatFallsSilentDuringATimedWaitIsNoticedBeforeItsEnd() {
        held(a.lock("x").acquireAsync());
        CompletableFuture<Optional<Lease>> timed = b.lock("x").tryAcquireAsync(Duration.ofSeconds(5));
        world.pass(Duration.ofSeconds(1));
        b.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofSeconds(4));
        assertThatThrownBy(timed::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void behindAHolderOfTheSameClientItIsKnownThatOthersHadTheLock() {
        held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        CompletableFuture<Optional<Lease>> timed = a.lock("x").tryAcquireAsync(Duration.ofSeconds(5));
        world.pass(Duration.ofSeconds(5));
        assertThat(timed).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aStoreThatCannotBeUsedFailsThoseWhoWaitAtOnce() {
        a.line().line = FaultyStore.Line.UNUSABLE;
        CompletableFuture<Lease> waiting = a.lock("x").acquireAsync();
        assertThatThrownBy(waiting::join)
                .hasCauseInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("'x'")
                .hasMessageContaining("wrong kind of key");
        assertThat(a.size()).isZero();
    }

    @Test
    void aStoreThatBecomesUnusableFailsWaitersAtTheirNextRenewalAndHoldersAtTheirDeadline() {
        Lease lease = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        a.line().line = FaultyStore.Line.UNUSABLE;
        b.line().line = FaultyStore.Line.UNUSABLE;
        world.pass(Duration.ofSeconds(3));
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(StoreMisconfiguredException.class);
        world.pass(Duration.ofSeconds(26));
        assertThat(lease.isHeld()).isTrue();
        world.pass(Duration.ofSeconds(1));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aYieldWhoseAnswerIsLostIsSentAgain() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> next = a.lock("x").acquireAsync();
        world.pass(Duration.ofSeconds(11)); // a renewal was answered meanwhile, and the slice is over
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        first.release();
        assertThat(next).isNotDone();
        a.line().up();
        world.pass(Duration.ofSeconds(2));
        assertThat(held(next).token()).isGreaterThan(first.token());
        assertThat(a.sent(Request.Yield.class)).isEqualTo(2);
    }

    @Test
    void anOlderAnswerDoesNotEndTheWaitForALaterOne() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> next = a.lock("x").acquireAsync();
        a.line().line = FaultyStore.Line.HELD_BACK;
        world.pass(Duration.ofSeconds(10)); // a renewal is on its way
        a.line().line = FaultyStore.Line.SILENT;
        first.release(); // and so, it seems, is a yield, which is lost
        a.line().up(); // the renewal is answered
        assertThat(next).isNotDone();
        world.pass(Duration.ofSeconds(3));
        assertThat(held(next).isHeld()).isTrue();
    }

    @Test
    void afterAReconnectEveryClaimIsChecked() {
        List<CompletableFuture<Lease>> held = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            held.add(a.lock("x" + i).acquireAsync());
        }
        b.client().admin().forceRelease("x7");
        long before = a.sent(Request.Renew.class);
        a.engine().reconnected();
        world.pass(Duration.ZERO);
        assertThat(a.sent(Request.Renew.class) - before).isEqualTo(999);
        assertThat(held).filteredOn(lease -> !lease.join().isHeld()).hasSize(1);
    }

    @Test
    void aRenewalThatFailsForEverFailsNoOtherThatIsSentWithIt() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            leases.add(held(a.lock("x" + i).acquireAsync()));
        }
        CompletableFuture<Lease> waiting = world.client().lock("x1").acquireAsync();
        a.line().unusable = request -> request.resource().equals("x7");
        world.pass(Duration.ofMinutes(2));
        for (int i = 0; i < 20; i++) {
            assertThat(leases.get(i).isHeld()).as("x%d", i).isEqualTo(i != 7);
        }
        assertThat(waiting).isNotDone();
        long sent = a.sent(Request.Renew.class);
        world.pass(Duration.ofSeconds(10));
        assertThat(a.sent(Request.Renew.class))
                .as("the others are not sent one by one")
                .isLessThan(sent + 60);
    }

    @Test
    void whoWaitsAndIsToldThatItCannotBeRenewedStandsInNobodysWay() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        b.line().unusable = Request.Renew.class::isInstance;
        world.pass(Duration.ofSeconds(3));
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(StoreMisconfiguredException.class);
        assertThat(world.claims("x")).hasSize(1);
        first.release();
    }

    /** Nothing expires there: what nobody leaves stays for as long as this client lives. */
    @Test
    void aReleaseThatIsRefusedIsSentAgainWhereNothingElseEndsTheClaim() {
        a.line().expiry = false;
        Lease first = held(a.lock("x").acquireAsync());
        a.line().unusable = Request.Leave.class::isInstance;
        CompletableFuture<ReleaseOutcome> outcome = first.releaseAsync();
        world.pass(Duration.ofSeconds(5));
        assertThat(outcome).isCompletedWithValue(ReleaseOutcome.UNKNOWN);
        assertThat(world.claims("x")).hasSize(1);
        a.line().unusable = request -> false;
        world.pass(Duration.ofSeconds(1));
        assertThat(world.claims("x")).isEmpty();
    }
}
