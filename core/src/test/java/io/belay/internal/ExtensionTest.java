package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.DistributedReadWriteLock;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.LossReason;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a fixed lease, or of the longest hold, which its holder moves. */
class ExtensionTest {
    private static final LockOptions FIXED = LockOptions.defaults().withFixedLease(Duration.ofSeconds(10));
    private static final LockOptions LIMITED = LockOptions.defaults().withMaxHold(Duration.ofSeconds(10));

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();
    private final List<LossReason> told = new ArrayList<>();

    private Lease of(LockOptions options) {
        Lease lease = held(a.lock("x", options).acquireAsync());
        lease.onLost(loss -> told.add(loss.reason().orElseThrow()));
        return lease;
    }

    @Test
    void aFixedLeaseIsMadeLonger() {
        Lease lease = of(FIXED);
        world.pass(Duration.ofSeconds(5));
        Duration left = lease.extend(Duration.ofSeconds(20));
        assertThat(left).isBetween(Duration.ofMillis(19_700), Duration.ofSeconds(20));
        assertThat(a.sent(Request.Fix.class)).isEqualTo(1);
        world.pass(Duration.ofSeconds(19));
        assertThat(lease.isHeld()).isTrue();
        assertThat(b.lock("x").tryAcquire()).isEmpty();
        world.pass(Duration.ofMillis(1_001));
        assertThat(told).containsExactly(LossReason.ENDED);
        assertThat(held(b.lock("x").acquireAsync()).token()).isGreaterThan(lease.token());
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    @Test
    void aFixedLeaseIsMadeShorter() {
        Lease lease = of(FIXED);
        CompletableFuture<Lease> next = b.lock("x").acquireAsync();
        assertThat(lease.extend(Duration.ofSeconds(1))).isLessThanOrEqualTo(Duration.ofSeconds(1));
        world.pass(Duration.ofMillis(1_001));
        assertThat(told).containsExactly(LossReason.ENDED);
        world.pass(Duration.ofMillis(200));
        assertThat(held(next).isHeld()).isTrue();
    }

    @Test
    void aReleaseInAnOutageIsSentUntilTheLatestEndThatWasAskedFor() {
        Lease lease = of(FIXED);
        lease.extend(Duration.ofSeconds(60));
        a.line().line = FaultyStore.Line.SILENT;
        ((Hold) lease).discard();
        world.pass(Duration.ofSeconds(40));
        a.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(world.claims("x")).isEmpty();
        assertThat(a.size()).isZero();
    }

    @Test
    void itIsMovedAgainAndAgain() {
        Lease lease = of(FIXED);
        lease.extend(Duration.ofSeconds(60));
        lease.extend(Duration.ofSeconds(2));
        lease.extend(Duration.ofSeconds(30));
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(29));
        assertThat(world.claims("x").get(0).deadline() - world.time.micros()).isEqualTo(30_000_000);
        lease.extend(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(2));
        assertThat(told).containsExactly(LossReason.ENDED);
    }

    @Test
    void anEarlierEndIsBelievedThoughTheStoreDoesNotAnswer() {
        Lease lease = of(FIXED);
        a.line().line = FaultyStore.Line.SILENT;
        world.at(Duration.ofSeconds(1), () -> assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(5)));
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(6)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("'x'");
        assertThat(lease.isHeld()).isTrue();
        world.pass(Duration.ofSeconds(6));
        assertThat(told).containsExactly(LossReason.ENDED);
    }

    @Test
    void aLaterEndIsNotBelievedBeforeTheStoreAnswers() {
        Lease lease = of(FIXED);
        a.line().line = FaultyStore.Line.SILENT;
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(60))).isInstanceOf(StoreUnavailableException.class);
        assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(10));
        world.pass(Duration.ofSeconds(10));
        assertThat(told).hasSize(1);
    }

    @Test
    void anAnswerThatWasLostIsAskedForAgain() {
        Lease lease = of(FIXED);
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        world.at(Duration.ofSeconds(1), a.line()::up);
        lease.extend(Duration.ofSeconds(60));
        assertThat(lease.remaining()).as("it was sent again").isGreaterThan(Duration.ofSeconds(50));
        assertThat(a.sent(Request.Fix.class)).isEqualTo(2);
        assertThat(world.claims("x").get(0).reweights()).as("and made once").isEqualTo(1);
    }

    @Test
    void aLateCopyUndoesNothing() {
        Lease lease = of(FIXED);
        a.line().line = FaultyStore.Line.HELD_BACK;
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(60))).isInstanceOf(StoreUnavailableException.class);
        List<Runnable> late = a.line().takeHeldBack();
        a.line().line = FaultyStore.Line.UP;
        lease.extend(Duration.ofSeconds(1));
        late.forEach(Runnable::run);
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(world.claims("x").get(0).deadline() - world.time.micros()).isLessThanOrEqualTo(1_000_000);
    }

    @Test
    void aLateAnswerToAnEarlierRequestMakesItNoLonger() {
        Lease lease = of(FIXED);
        world.pass(Duration.ofSeconds(1));
        a.line().line = FaultyStore.Line.HELD_BACK;
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(60))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(3))).isInstanceOf(StoreUnavailableException.class);
        a.line().takeHeldBack().get(0).run(); // the first request alone comes through
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(3));
        world.pass(Duration.ofSeconds(3));
        assertThat(told).containsExactly(LossReason.ENDED);
    }

    @Test
    void anEarlierEndIsBelievedWhileFewerPermitsAreNotAnsweredYet() {
        DistributedSemaphore permits = a.client().semaphore("s", 3, FIXED);
        Lease three = held(permits.permits(3).acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        Lease one = permits.reduceTo(three, 1);
        one.onLost(loss -> told.add(loss.reason().orElseThrow()));
        assertThatThrownBy(() -> one.extend(Duration.ofSeconds(6))).isInstanceOf(StoreUnavailableException.class);
        Duration left = one.remaining();
        assertThat(left).isLessThan(Duration.ofSeconds(6));
        a.line().takeHeldBack().get(0).run(); // the change of the permits, and its answer
        assertThat(world.claims("s").get(0).weight()).isEqualTo(1);
        assertThat(one.remaining()).isLessThanOrEqualTo(left);
        world.pass(Duration.ofSeconds(6));
        assertThat(told).containsExactly(LossReason.ENDED);
    }

    @Test
    void anEndIsMovedBehindAChangeOfPermits() {
        DistributedSemaphore permits = a.client().semaphore("s", 3, FIXED);
        Lease three = held(permits.permits(3).acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        Lease two = permits.reduceTo(three, 2);
        Lease one = permits.reduceTo(two, 1);
        world.at(Duration.ofSeconds(1), a.line()::up);
        assertThat(one.extend(Duration.ofSeconds(60))).isGreaterThan(Duration.ofSeconds(50));
        assertThat(world.claims("s").get(0).weight()).isEqualTo(1);
        assertThat(world.claims("s").get(0).deadline() - world.time.micros()).isBetween(50_000_000L, 60_000_000L);
    }

    @Test
    void theLongestHoldIsMoved() {
        Lease lease = of(LIMITED);
        assertThat(lease.extend(Duration.ofSeconds(100))).isGreaterThan(Duration.ofSeconds(29));
        world.pass(Duration.ofSeconds(60));
        assertThat(lease.isHeld()).isTrue();
        lease.extend(Duration.ofMillis(500));
        world.pass(Duration.ofMillis(501));
        assertThat(told).containsExactly(LossReason.MAX_HOLD);
        assertThat(b.lock("x").tryAcquire()).isPresent();
        assertThat(a.sent(Request.Fix.class)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT2H"})
    void aFixedLeaseThatIsHeldForTooLongIsToldSo(Duration atLeast) {
        Lease lease = of(LIMITED.withMaxHold(Duration.ofSeconds(2))
                .withFixedLease(Duration.ofHours(1))
                .withAtLeast(atLeast));
        world.pass(Duration.ofMillis(1_999));
        assertThat(lease.isHeld()).isTrue();
        world.pass(Duration.ofMillis(1));
        assertThat(told).containsExactly(LossReason.MAX_HOLD);
    }

    @Test
    void aLongestHoldIsCountedFromTheAcquisitionThroughADowngrade() {
        LockOptions options = LIMITED.withFixedLease(Duration.ofHours(1)).withAtLeast(Duration.ofHours(2));
        DistributedReadWriteLock lock = a.client().readWriteLock("x", options);
        Lease write = held(lock.writeLock().acquireAsync());
        world.pass(Duration.ofSeconds(6));
        Lease read = lock.downgrade(write);
        read.onLost(loss -> told.add(loss.reason().orElseThrow()));
        world.pass(Duration.ofMillis(3_999));
        assertThat(read.isHeld()).isTrue();
        world.pass(Duration.ofMillis(1));
        assertThat(told).containsExactly(LossReason.MAX_HOLD);
    }

    @Test
    void theEndThatWasGivenToAFixedLeaseIsNoLongestHold() {
        Lease lease = of(FIXED.withAtLeast(Duration.ofHours(1)).withMaxHold(Duration.ofSeconds(20)));
        lease.extend(Duration.ofSeconds(30));
        world.pass(Duration.ofSeconds(30));
        assertThat(told).containsExactly(LossReason.ENDED);
    }

    @Test
    void aLaterLongestHoldIsNotBelievedBeforeTheStoreAnswers() {
        Lease lease = of(LIMITED);
        a.line().line = FaultyStore.Line.SILENT;
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(100))).isInstanceOf(StoreUnavailableException.class);
        world.pass(Duration.ofSeconds(10));
        assertThat(told).containsExactly(LossReason.MAX_HOLD);
    }

    @Test
    void ofTwoLongestHoldsTheLaterCallCounts() {
        Lease lease = of(LIMITED);
        a.line().line = FaultyStore.Line.SILENT;
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(100))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(2))).isInstanceOf(StoreUnavailableException.class);
        a.line().up();
        world.pass(Duration.ofSeconds(2));
        assertThat(told).containsExactly(LossReason.MAX_HOLD);
    }

    @Test
    void aLeaseWithoutAnEndGetsOne() {
        Lease lease = of(LockOptions.defaults());
        lease.extend(Duration.ofSeconds(40));
        world.pass(Duration.ofSeconds(39));
        assertThat(lease.isHeld()).isTrue();
        world.pass(Duration.ofMillis(1_001));
        assertThat(told).containsExactly(LossReason.MAX_HOLD);
    }

    @Test
    void anEndThatTheStoreRefusesLeavesTheLeaseAsItWas() {
        Lease lease = of(FIXED);
        a.line().refusedFix = "longer than this store keeps anything";
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(60)))
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining("'x'")
                .hasMessageContaining("longer than this store keeps anything");
        world.pass(Duration.ofSeconds(9));
        assertThat(lease.isHeld()).isTrue();
        world.pass(Duration.ofSeconds(1));
        assertThat(told).containsExactly(LossReason.ENDED);
    }

    /** The store has made no change, and knows of none when it is asked after a suspension. */
    @Test
    void anEndThatTheStoreRefusesLeavesTheLeaseSure() {
        Lease lease = of(FIXED);
        a.line().refusedFix = "longer than this store keeps anything";
        assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(60))).isInstanceOf(LockRefusedException.class);
        world.time.suspend(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(told).isEmpty();
    }

    /** By a server that took over and has missed it: others may have the lock as soon as that one lets them. */
    @Test
    void anEndThatTheStoreHasForgottenIsBelievedNoMore() throws Exception {
        Lease lease = of(FIXED);
        Resource before = world.store.inspect("x").resource().orElseThrow();
        lease.extend(Duration.ofMinutes(1));
        world.store.goBack("x", before);
        a.engine().reconnected();
        world.pass(Duration.ofMillis(1));
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        world.pass(Duration.ofSeconds(10));
        assertThat(told).containsExactly(LossReason.ENDED);
        assertThat(b.lock("x").tryAcquire()).isPresent();
    }

    @Test
    void whatIsLostOrReleasedIsNotExtended() {
        Lease lost = of(FIXED);
        world.pass(Duration.ofSeconds(10));
        assertThatThrownBy(() -> lost.extend(Duration.ofSeconds(10)))
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        loss -> assertThat(loss.reason()).contains(LossReason.ENDED));
        Lease forced = held(a.lock("y", FIXED).acquireAsync());
        a.line().pushesLost = true;
        b.client().admin().forceRelease("y");
        assertThatThrownBy(() -> forced.extend(Duration.ofSeconds(10))).isInstanceOf(LeaseLostException.class);
        Lease released = held(a.lock("z", FIXED).acquireAsync());
        released.release();
        assertThatThrownBy(() -> released.extend(Duration.ofSeconds(10)))
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        loss -> assertThat(loss.isReleased()).isTrue());
    }

    @Test
    void anEndThatIsTooSoonOrTooLateIsRefused() {
        Lease fixed = of(FIXED);
        for (Duration wrong :
                List.of(Duration.ZERO, Duration.ofMillis(9), Duration.ofDays(366), Duration.ofMillis(-1))) {
            assertThatThrownBy(() -> fixed.extend(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("duration is " + wrong + ", but must be from PT0.01S to PT8760H");
        }
        assertThat(fixed.remaining()).isGreaterThan(Duration.ofSeconds(9));
    }

    @Test
    void readersThatShareALockHaveEndsOfTheirOwn() {
        Lease one = held(a.client().readWriteLock("r", LIMITED).readLock().acquireAsync());
        Lease two = held(a.client().readWriteLock("r", LIMITED).readLock().acquireAsync());
        one.extend(Duration.ofSeconds(60));
        world.pass(Duration.ofSeconds(11));
        assertThat(one.isHeld()).isTrue();
        assertThat(two.isHeld()).isFalse();
        assertThat(b.client().readWriteLock("r").writeLock().tryAcquire()).isEmpty();
    }

    @Test
    void nothingIsLeftBehind() {
        Lease lease = of(FIXED);
        lease.extend(Duration.ofSeconds(20));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(world.claims("x")).isEmpty();
        world.pass(Duration.ofMinutes(1));
        assertThat(a.size()).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void aShortFixedLeaseEndsQuietlyAtItsTime() {
        Lease lease = of(LockOptions.defaults().withFixedLease(Duration.ofMillis(10)));
        assertThat(lease.remaining()).isBetween(Duration.ofMillis(7), Duration.ofMillis(8));
        world.pass(Duration.ofMillis(10));
        assertThat(told).containsExactly(LossReason.ENDED);
        assertThat(b.lock("x").tryAcquire()).isPresent();
    }
}
