package io.belay.internal;

import static io.belay.internal.TestWorld.LEASE;
import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayOptions;
import io.belay.DistributedReadWriteLock;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LossReason;
import io.belay.OncePerPeriod;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import io.belay.internal.gate.Questions;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.support.Logged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks that stay taken for a while after they were given back. */
class KeptLockTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final LockOptions AT_LEAST = LockOptions.defaults().withAtLeast(TEN);

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    private Optional<Lease> tried(Node node) {
        return node.lock("x").tryAcquire();
    }

    @Test
    void nobodyHasItBeforeTheTimeIsOver() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<LeaseLostException> lost = new ArrayList<>();
        lease.onLost(lost::add);
        assertThat(lease.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        CompletableFuture<Lease> home = a.lock("x").acquireAsync();
        CompletableFuture<Lease> elsewhere = b.lock("x").acquireAsync();
        world.pass(Duration.ofMillis(9_999));
        assertThat(home).isNotDone();
        assertThat(elsewhere).isNotDone();
        assertThat(tried(b)).isEmpty();
        world.pass(Duration.ofMillis(200));
        assertThat(held(home).token()).isGreaterThan(lease.token());
        assertThat(lost).isEmpty();
    }

    @Test
    void whoWaitsAtHomeWhenItIsGivenBackWaitsBehindTheOthers() {
        Lease lease = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> home = a.lock("x").acquireAsync();
        CompletableFuture<Lease> elsewhere = b.lock("x").acquireAsync();
        lease.releaseAfter(TEN);
        assertThat(home).isNotDone();
        world.pass(Duration.ofSeconds(11));
        held(elsewhere).release();
        assertThat(held(home).isHeld()).isTrue();
    }

    @Test
    void anOutageThatIsLongerThanTheLeaseDoesNotFreeIt() {
        Duration times = LEASE.multipliedBy(4);
        Lease lease =
                held(a.lock("x", LockOptions.defaults().withAtLeast(times)).acquireAsync());
        List<LeaseLostException> lost = new ArrayList<>();
        lease.onLost(lost::add);
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(LEASE.plus(TEN));
        assertThat(lost).extracting(LeaseLostException::reason).containsExactly(Optional.of(LossReason.EXPIRED));
        a.line().up();
        world.pass(TEN);
        assertThat(tried(b)).isEmpty();
        world.pass(times);
        assertThat(tried(b)).isPresent();
        a.client().close();
        assertThat(a.size()).isZero();
    }

    @Test
    void whoSharesAReadLockAndGivesItBackIsNotToldThatItIsKeptWhereNobodyKnows() {
        DistributedReadWriteLock both = a.client().readWriteLock("x");
        Lease one = held(both.readLock().acquireAsync());
        Lease two = held(both.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        long begin = world.time.nanos();
        assertThat(one.releaseAfter(Duration.ofHours(1))).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(Duration.ofNanos(world.time.nanos() - begin)).isLessThan(Duration.ofSeconds(5));
        a.line().up();
        world.pass(TEN);
        assertThat(two.isHeld()).isTrue();
        assertThat(two.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(b.client().readWriteLock("x").writeLock().tryAcquire()).isEmpty();
    }

    @Test
    void whoAsksAboutAReadLockIsAnsweredThoughItWasGivenBackInDoubtMeanwhile() {
        DistributedReadWriteLock both = a.client().readWriteLock("x");
        Hold one = (Hold) held(both.readLock().acquireAsync());
        held(both.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        CompletableFuture<?> asked = Questions.ask(one);
        assertThat(one.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(asked).isNotDone();
        a.line().up();
        world.pass(TEN);
        assertThat(asked).isCompleted();
    }

    @Test
    void whoSharesAReadLockIsToldTheSameAsTheLastWhoGivesItBack() {
        DistributedReadWriteLock both = a.client().readWriteLock("x");
        Lease one = held(both.readLock().acquireAsync());
        Lease two = held(both.readLock().acquireAsync());
        List<LeaseLostException> lost = new ArrayList<>();
        one.onLost(lost::add);
        a.line().line = FaultyStore.Line.HELD_BACK;
        world.at(Duration.ofMillis(20), () -> two.releaseAsync());
        world.at(Duration.ofMillis(40), () -> a.line().up());
        assertThat(one.releaseAfter(Duration.ofMillis(5))).isEqualTo(ReleaseOutcome.RELEASED);
        world.pass(TEN);
        assertThat(lost).isEmpty();
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void whatFailedAfterAnOutageMayBeRunByAnotherAtOnce() {
        Hold job = (Hold) held(a.lock("x", LockOptions.defaults().withAtLeast(LEASE.multipliedBy(4)))
                .acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(LEASE.plus(TEN));
        a.line().up();
        world.pass(TEN);
        assertThat(tried(b)).as("as if the process had died").isEmpty();
        job.releaseAtOnce();
        assertThat(tried(b)).isPresent();
    }

    @Test
    void whatOneOfSeveralReadersIsToKeepIsNotMadeAWriteLock() throws Exception {
        DistributedReadWriteLock both = a.client().readWriteLock("x");
        Lease one = held(both.readLock().acquireAsync());
        Lease two = held(both.readLock().acquireAsync());
        one.releaseAfter(TEN);
        assertThat(both.tryUpgrade(two)).isEmpty();
        world.pass(TEN.plusSeconds(1));
        assertThat(both.tryUpgrade(two)).isPresent();
    }

    /** The store may have made it, or refuse it yet: neither frees the lock, nor keeps other readers out. */
    @Test
    void anUpgradeThatIsUndecidedWhenItIsGivenBackMakesItNeitherFreeNorAWriteLock() {
        for (boolean alone : List.of(true, false)) {
            String name = alone ? "alone" : "shared";
            DistributedReadWriteLock onA = a.client().readWriteLock(name);
            DistributedReadWriteLock onB = b.client().readWriteLock(name);
            Lease read = held(onA.readLock().acquireAsync());
            Optional<Lease> other = alone ? Optional.empty() : onB.readLock().tryAcquire();
            a.line().line = FaultyStore.Line.HELD_BACK;
            onA.tryUpgradeAsync(read).cancel(true);
            world.at(Duration.ofMillis(10), a.line()::up);
            assertThat(read.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(world.claims(name)).extracting(Claim::weight).containsOnly(1);
            other.ifPresent(Lease::release);
            world.pass(Duration.ofMillis(9_900));
            assertThat(onB.writeLock().tryAcquire()).isEmpty();
            onB.readLock().tryAcquire().orElseThrow().release();
            world.pass(Duration.ofMillis(200));
            onB.writeLock().tryAcquire().orElseThrow().release();
        }
    }

    @Test
    void whoHadItWaitsForNothingMore() {
        Hold hold = (Hold) held(a.lock("x").acquireAsync());
        hold.gate.step(machine -> machine.note(hold, "waits"));
        assertThat(world.claims("x").get(0).owner().note()).isEqualTo("waits");
        hold.releaseAfter(TEN);
        assertThat(world.claims("x").get(0).owner().note()).isEmpty();
        assertThat(world.claims("x").get(0).owner().thread()).isNotEmpty();
    }

    /** It has never had the lock for which it would have kept it. */
    @Test
    void whoDiesWhileItWaitsIsInTheWayForTwoSecondsAsAnyWaiterIs() {
        Lease lease = held(a.lock("x").acquireAsync());
        b.lock("x", AT_LEAST.withAtLeast(Duration.ofHours(6))).acquireAsync();
        assertThat(world.claims("x")).hasSize(2);
        b.line().line = FaultyStore.Line.SILENT;
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        world.pass(Duration.ofMillis(1_900));
        assertThat(tried(a)).isEmpty();
        world.pass(Duration.ofMillis(1_100));
        assertThat(tried(a)).isPresent();
    }

    /** Whether it was granted at once, or had to wait: it stands before a first renewal of its has come. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoDiesAsItIsGrantedHasKeptIt(boolean waits) {
        Optional<Lease> first = waits ? tried(a) : Optional.empty();
        CompletableFuture<Lease> kept =
                b.lock("x", AT_LEAST.withAtLeast(Duration.ofHours(6))).acquireAsync();
        first.ifPresent(Lease::release);
        assertThat(held(kept).isHeld()).isTrue();
        b.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofHours(5));
        assertThat(tried(a)).isEmpty();
        world.pass(Duration.ofHours(2));
        assertThat(tried(a)).isPresent();
    }

    @Test
    void itIsNotSaidWhenItsHolderWasHeardOf() {
        held(a.lock("x", AT_LEAST.withAtLeast(LEASE.multipliedBy(2))).acquireAsync());
        assertThat(b.client().admin().inspect("x").claims().get(0).heard()).isEmpty();
    }

    @Test
    void permitsThatWereGivenBackBeforeAreNotKept() {
        DistributedSemaphore permits = a.client().semaphore("s", 3);
        Lease three = held(permits.permits(3).acquireAsync());
        a.line().line = FaultyStore.Line.SILENT; // what is sent is lost
        Lease one = permits.reduceTo(permits.reduceTo(three, 2), 1);
        world.at(Duration.ofSeconds(1), () -> a.line().up());
        assertThat(one.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(world.claims("s")).extracting(Claim::weight).containsExactly(1);
        world.pass(TEN);
        assertThat(b.client().semaphore("s", 3).permits(3).tryAcquire()).isPresent();
    }

    /** The store counts a moved end as it does a change of the permits. */
    @Test
    void permitsThatWereGivenBackBehindAMoveOfTheEndThatIsNotAnsweredAreNotKept() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofSeconds(20));
        DistributedSemaphore permits = a.client().semaphore("s", 5, fixed);
        Lease five = held(permits.permits(5).acquireAsync());
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        assertThatThrownBy(() -> five.extend(Duration.ofSeconds(30))).isInstanceOf(StoreUnavailableException.class);
        Lease three = permits.reduceTo(five, 3);
        a.line().up();
        assertThat(three.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(world.claims("s")).extracting(Claim::weight).containsExactly(3);
        world.pass(TEN);
        assertThat(b.client().semaphore("s", 5).permits(5).tryAcquire()).isPresent();
    }

    @Test
    void whatWasHadForNobodyIsNotKept() {
        List<Runnable> callbacks = new ArrayList<>();
        Node late = world.client(BelayOptions.defaults().withCallbackExecutor(callbacks::add));
        CompletableFuture<Lease> had = late.lock("x", AT_LEAST).acquireAsync();
        assertThat(tried(b)).as("the lock is taken").isEmpty();
        had.cancel(false); // before its callback is run
        assertThat(tried(b))
                .as("the executor may be busy, with those who wait for the lock")
                .isPresent();
        callbacks.forEach(Runnable::run);
        assertThat(late.size()).isZero();
    }

    @Test
    void whatIsHadBySomebodyElsesAnswerIsNotKept() {
        List<Runnable> callbacks = new ArrayList<>();
        Node late = world.client(BelayOptions.defaults().withCallbackExecutor(callbacks::add));
        CompletableFuture<Optional<Lease>> had = late.lock("x").tryAcquireAsync(TEN);
        assertThat(tried(b)).as("the lock is taken").isEmpty();
        had.complete(Optional.empty()); // as completeOnTimeout does, before its callback is run
        assertThat(tried(b)).as("nobody else has it").isPresent();
        callbacks.forEach(Runnable::run);
        assertThat(late.size()).isZero();
    }

    @Test
    void itOutlivesTheClientThatIsClosed() {
        held(a.lock("x").acquireAsync()).releaseAfter(TEN);
        a.client().close();
        world.pass(Duration.ofMillis(9_990));
        assertThat(tried(b)).isEmpty();
        world.pass(Duration.ofMillis(10));
        assertThat(tried(b)).isPresent();
    }

    @Test
    void closingTheClientFreesNothingBeforeItsTime() {
        Lease lease = held(a.lock("x", AT_LEAST).acquireAsync());
        List<LossReason> lost = new ArrayList<>();
        lease.onLost(loss -> lost.add(loss.reason().orElseThrow()));
        world.pass(Duration.ofSeconds(4));
        a.client().close();
        assertThat(lost).containsExactly(LossReason.CLOSED);
        world.pass(Duration.ofMillis(5_990));
        assertThat(tried(b)).isEmpty();
        world.pass(Duration.ofMillis(10));
        assertThat(tried(b)).isPresent();
        assertThat(a.size()).isZero();
    }

    @Test
    void whateverGivesItBackLeavesItTakenForAsLongAsItWasAskedFor() {
        for (int way = 0; way < 3; way++) {
            Lease lease = held(a.lock("x", AT_LEAST).acquireAsync());
            world.pass(Duration.ofSeconds(4));
            switch (way) {
                case 0 -> assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                case 1 -> assertThat(lease.releaseAsync()).isCompletedWithValue(ReleaseOutcome.RELEASED);
                default -> lease.close();
            }
            world.pass(Duration.ofMillis(5_990));
            assertThat(tried(b)).isEmpty();
            world.pass(Duration.ofMillis(10));
            tried(b).orElseThrow().release();
        }
    }

    @Test
    void whatWasHeldForLongerIsFreeAtOnce() {
        Lease lease = held(a.lock("x", AT_LEAST).acquireAsync());
        world.pass(TEN);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(tried(b)).isPresent();
    }

    @Test
    void aHolderThatDiesLeavesItTakenUntilThen() {
        Lease lease =
                held(a.lock("x", AT_LEAST.withLease(Duration.ofSeconds(1))).acquireAsync());
        assertThat(lease.remaining()).as("no longer than its lease").isLessThan(Duration.ofSeconds(1));
        a.line().line = FaultyStore.Line.SILENT; // as if its process had died
        world.pass(Duration.ofMillis(9_990));
        assertThat(lease.isHeld()).isFalse();
        assertThat(tried(b)).isEmpty();
        world.pass(Duration.ofMillis(10));
        assertThat(tried(b)).isPresent();
    }

    @Test
    void aLockThatIsHeldForLongerIsRenewedAllTheSame() {
        Lease lease =
                held(a.lock("x", AT_LEAST.withLease(Duration.ofSeconds(3))).acquireAsync());
        assertThat(a.sent(Request.Renew.class)).isZero();
        assertThat(a.sent(Request.Fix.class)).as("what it costs more").isOne();
        world.pass(Duration.ofMinutes(2));
        assertThat(lease.isHeld()).isTrue();
        assertThat(tried(b)).isEmpty();
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofMillis(3_100));
        assertThat(lease.isHeld()).isFalse();
        assertThat(tried(b)).as("a dead one is replaced within its lease").isPresent();
    }

    @Test
    void aStoreThatRefusesToKeepItForSoLongRenewsIt() {
        a.line().refusedFix = "longer than this store keeps anything";
        Lease lease = held(a.lock("x", AT_LEAST).acquireAsync());
        world.pass(Duration.ofMinutes(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(a.sent(Request.Fix.class)).isEqualTo(1);
        a.line().refusedFix = null;
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(tried(b)).isPresent();
    }

    /** As on a quorum, for longer than its longest lease. */
    @Test
    void whatTheStoreDoesNotKeepForSoLongIsFreeAtOnceWhichTheLogSays() {
        Lease lease = held(a.lock("x", AT_LEAST).acquireAsync());
        a.line().refusedFix = "longer than this store keeps anything";
        List<String> lines = Logged.during(
                "is free at once",
                () -> assertThat(lease.releaseAfter(Duration.ofHours(1))).isEqualTo(ReleaseOutcome.RELEASED));
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("WARN", "The lock 'x'", "longer than this store keeps anything");
        assertThat(tried(b))
                .as("though it was to be kept for ten seconds before")
                .isPresent();
        assertThat(a.size()).isZero();
    }

    @Test
    void theLongerOfTwoTimesCounts() {
        Lease lease = held(a.lock("x", AT_LEAST).acquireAsync());
        lease.releaseAfter(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(9));
        assertThat(tried(b)).isEmpty();
        Lease other = held(a.lock("y", AT_LEAST).acquireAsync());
        other.releaseAfter(Duration.ofSeconds(20));
        world.pass(Duration.ofSeconds(19));
        assertThat(b.lock("y").tryAcquire()).isEmpty();
        world.pass(Duration.ofSeconds(1));
        assertThat(b.lock("y").tryAcquire()).isPresent();
    }

    @Test
    void aHoldThatIsTooLongIsKeptAllTheSame() {
        LockOptions both = AT_LEAST.withMaxHold(Duration.ofSeconds(3));
        Lease lease = held(a.lock("x", both).acquireAsync());
        world.pass(Duration.ofSeconds(3));
        assertThat(lease.isHeld()).isFalse();
        world.pass(Duration.ofMillis(6_990));
        assertThat(tried(b)).isEmpty();
        world.pass(Duration.ofMillis(10));
        assertThat(tried(b)).isPresent();
    }

    @Test
    void aPushOfItsGrantThatComesLateDoesNotEndIt() {
        Lease lease = held(a.lock("x").acquireAsync());
        Claim claim = world.claims("x").get(0);
        lease.releaseAfter(TEN);
        a.engine()
                .pushed(Push.granted("x", claim.id(), claim.sequence(), world.time.micros(), claim.deadline())
                        .from(a.line().run));
        world.pass(Duration.ofSeconds(9));
        assertThat(tried(b)).isEmpty();
    }

    /** Whoever may write into the channel of one client would end the claims of all others by its rights. */
    @Test
    void aPushOfAnotherClientsGrantGivesNothingBack() {
        Lease lease = held(a.lock("x").acquireAsync());
        held(b.lock("y").acquireAsync());
        int sent = b.line().sent.size();
        Claim claim = world.claims("x").get(0);
        for (long number = 0; number < 3; number++) {
            ClaimId id = ClaimId.of(claim.id().client(), number);
            b.engine()
                    .pushed(Push.granted("x", id, claim.sequence(), world.time.micros(), claim.deadline())
                            .from(b.line().run));
        }
        assertThat(b.line().sent).hasSize(sent);
        assertThat(world.claims("x")).containsExactly(claim);
        lease.ensureHeld();
    }

    @Test
    void aTimeThatIsOverReleasesAtOnce() {
        for (Duration none : List.of(
                Duration.ZERO, Duration.ofSeconds(-3), Duration.ofDays(-40_000), Duration.ofSeconds(Long.MIN_VALUE))) {
            held(a.lock("x").acquireAsync()).releaseAfter(none);
            tried(b).orElseThrow().release();
        }
    }

    @Test
    void whileTheStoreDoesNotAnswerItIsAskedAgain() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.REFUSED;
        world.at(Duration.ofSeconds(1), a.line()::up);
        assertThat(lease.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(world.claims("x").get(0).deadline() - world.time.micros())
                .as("counted from the call, not from when it came through")
                .isLessThan(9_100_000);
        world.pass(Duration.ofMillis(8_000));
        assertThat(tried(b)).isEmpty();
        world.pass(Duration.ofSeconds(2));
        assertThat(tried(b)).isPresent();
        assertThat(a.size()).isZero();
    }

    /** Where claims end with their client alone what a late copy of the enter makes would stay for as long as that. */
    @Test
    void whatALateCopyMayEnterAnewIsLeftOnceItIsNotKept() {
        a.line().expiry = false;
        a.line().unanswered = Request.Enter.class::isInstance;
        CompletableFuture<Lease> waiting = a.lock("x").acquireAsync();
        a.line().unanswered = request -> false;
        world.pass(Duration.ofSeconds(1));
        List<Request> enters =
                a.line().sent.stream().filter(Request.Enter.class::isInstance).toList();
        assertThat(enters).as("the premise: it was sent again").hasSizeGreaterThan(1);
        assertThat(held(waiting).releaseAfter(TEN)).isEqualTo(ReleaseOutcome.RELEASED);
        world.pass(TEN);
        assertThat(world.store.run(enters.get(0)).state()).isEqualTo(Answer.State.GRANTED);
        a.line().line = FaultyStore.Line.REFUSED;
        world.pass(Duration.ofSeconds(2));
        assertThat(world.claims("x")).as("the premise: the leave has failed").isNotEmpty();
        a.line().up();
        world.pass(Duration.ofSeconds(1)); // not the time for which it was kept
        assertThat(world.claims("x")).isEmpty();
        assertThat(world.store.run(enters.get(0)).state()).isEqualTo(Answer.State.REFUSED);
    }

    @Test
    void whatWasLostBeforeIsNotKept() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofSeconds(30));
        a.line().up();
        assertThat(lease.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(tried(b)).isPresent();
    }

    @Test
    void somebodyTookItAwayUnheard() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().pushesLost = true;
        b.client().admin().forceRelease("x");
        assertThat(lease.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(tried(b)).isPresent();
    }

    /** A request to keep it takes nothing away: where the second copy finds nothing, somebody else did. */
    @Test
    void somebodyTookItAwayUnheardAndTheFirstRequestIsNotAnswered() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().pushesLost = true;
        b.client().admin().forceRelease("x");
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        world.at(Duration.ofSeconds(1), a.line()::up);
        assertThat(lease.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(tried(b)).isPresent();
    }

    /** A store that notices a client's death ends what no request has fixed. */
    @Test
    void aFixedLeaseThatIsToStayTakenHasItsEndFixedOnceMore() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofHours(1));
        held(a.lock("x", fixed.withAtLeast(Duration.ofMinutes(10))).acquireAsync());
        Claim claim = world.claims("x").get(0);
        assertThat(claim.reweights()).isEqualTo(1);
        assertThat(claim.deadline() - world.time.micros()).isEqualTo(3_600_000_000L);
        world.pass(Duration.ofMinutes(61));
        assertThat(world.claims("x")).isEmpty();
    }

    /** For its holder a fixed lease ends a hundredth earlier than in the store, and may be the shorter one anyway. */
    @ParameterizedTest
    @ValueSource(ints = {2, 10})
    void whatIsToStayTakenStaysBeyondTheEndOfItsFixedLease(int seconds) {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofSeconds(seconds));
        Lease lease = held(a.lock("x", fixed.withAtLeast(TEN)).acquireAsync());
        List<LossReason> told = new ArrayList<>();
        lease.onLost(lost -> told.add(lost.reason().orElseThrow()));
        a.line().line = FaultyStore.Line.SILENT; // as if the process had died
        world.pass(Duration.ofMillis(seconds * 990));
        assertThat(lease.isHeld()).isEqualTo(seconds == 2);
        world.pass(Duration.ofMillis(9_990 - seconds * 990));
        assertThat(told).containsExactly(LossReason.ENDED);
        assertThat(tried(b)).isEmpty();
        world.pass(Duration.ofMillis(10));
        assertThat(tried(b)).isPresent();
    }

    @Test
    void whatIsToStayTakenStaysBeyondTheNearerEndThatItWasGiven() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(TEN).withAtLeast(TEN);
        Lease lease = held(a.lock("x", fixed).acquireAsync());
        assertThat(lease.extend(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
        a.line().line = FaultyStore.Line.SILENT; // as if the process had died
        world.pass(Duration.ofSeconds(2));
        assertThat(lease.isHeld()).isFalse();
        world.pass(Duration.ofMillis(7_990));
        assertThat(tried(b)).isEmpty();
        world.pass(Duration.ofMillis(10));
        assertThat(tried(b)).isPresent();
    }

    @Test
    void aFixedLeaseIsKeptForLongerThanItWouldHaveLasted() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofSeconds(2));
        Lease lease = held(a.lock("x", fixed).acquireAsync());
        lease.extend(Duration.ofSeconds(1));
        assertThat(lease.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.RELEASED);
        world.pass(Duration.ofMillis(9_990));
        assertThat(tried(b)).isEmpty();
        world.pass(Duration.ofMillis(10));
        assertThat(tried(b)).isPresent();
    }

    @Test
    void theStoreForgetsItOnceItsTimeIsOver() {
        for (int i = 0; i < 10; i++) {
            held(a.lock("x" + i).acquireAsync()).releaseAfter(TEN);
        }
        for (int i = 0; i < 2; i++) { // they are empty first, and forgotten later
            world.pass(Duration.ofMinutes(3));
            b.lock("y").tryAcquire().orElseThrow().release();
        }
        assertThat(world.store.size()).as("y alone").isEqualTo(1);
    }

    @Test
    void aStickyLockIsNotKeptAtHome() {
        LockOptions sticky = LockOptions.defaults().withSticky(Duration.ofMinutes(1));
        held(a.lock("x", sticky).acquireAsync()).releaseAfter(TEN);
        CompletableFuture<Lease> home = a.lock("x", sticky).acquireAsync();
        CompletableFuture<Lease> elsewhere = b.lock("x", sticky).acquireAsync();
        world.pass(Duration.ofMillis(9_990));
        assertThat(elsewhere).isNotDone();
        assertThat(home).isNotDone();
        world.pass(Duration.ofMillis(200));
        assertThat(home).isCompleted();
    }

    @Test
    void readersKeepWritersOutAndNotEachOther() {
        Lease one = held(a.client().readWriteLock("r").readLock().acquireAsync());
        Lease two = held(a.client().readWriteLock("r").readLock().acquireAsync());
        assertThat(one.releaseAfter(TEN)).isEqualTo(ReleaseOutcome.RELEASED);
        two.release();
        assertThat(b.client()
                        .readWriteLock("r")
                        .readLock()
                        .tryAcquire()
                        .orElseThrow()
                        .release())
                .isEqualTo(ReleaseOutcome.RELEASED);
        world.pass(Duration.ofMillis(9_990));
        assertThat(b.client().readWriteLock("r").writeLock().tryAcquire()).isEmpty();
        world.pass(Duration.ofMillis(10));
        assertThat(b.client().readWriteLock("r").writeLock().tryAcquire()).isPresent();
    }

    @Test
    void aReaderThatOthersStandBesideIsKeptAlsoIfAllOfThemDie() {
        Lease one = held(a.client().readWriteLock("r").readLock().acquireAsync());
        held(a.client().readWriteLock("r").readLock().acquireAsync());
        one.releaseAfter(Duration.ofMinutes(2));
        a.line().line = FaultyStore.Line.SILENT; // as if the process had died
        world.pass(Duration.ofSeconds(110));
        assertThat(b.client().readWriteLock("r").writeLock().tryAcquire()).isEmpty();
        world.pass(TEN);
        assertThat(b.client().readWriteLock("r").writeLock().tryAcquire()).isPresent();
    }

    @Test
    void ofTwoReadersThatGiveItBackTheLongerTimeCounts() {
        DistributedReadWriteLock onA = a.client().readWriteLock("r");
        Lease one = held(onA.readLock().acquireAsync());
        Lease two = held(onA.readLock().acquireAsync());
        held(onA.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.REFUSED; // what is asked for the one is lost
        world.at(Duration.ofMillis(10), () -> {
            a.line().up();
            two.releaseAfter(Duration.ofMinutes(1));
        });
        assertThat(one.releaseAfter(Duration.ofHours(1))).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(two.release()).isEqualTo(ReleaseOutcome.RELEASED);
        a.line().line = FaultyStore.Line.SILENT; // as if the process had died
        world.pass(Duration.ofMinutes(59));
        assertThat(b.client().readWriteLock("r").writeLock().tryAcquire()).isEmpty();
        world.pass(Duration.ofMinutes(2));
        assertThat(b.client().readWriteLock("r").writeLock().tryAcquire()).isPresent();
    }

    @Test
    void permitsAreKeptEachForItself() {
        Lease two = held(a.client().semaphore("s", 3).permits(2).acquireAsync());
        two.releaseAfter(TEN);
        assertThat(b.client().semaphore("s", 3).available()).isEqualTo(1);
        assertThat(b.client().semaphore("s", 3).tryAcquire()).isPresent();
        assertThat(b.client().semaphore("s", 3).tryAcquire()).isEmpty();
        world.pass(TEN);
        assertThat(b.client().semaphore("s", 3).available()).isEqualTo(2);
    }

    @Test
    void anActionRunsOnceInAPeriod() {
        List<String> runs = new ArrayList<>();
        OncePerPeriod here = a.client().once("nightly", TEN);
        OncePerPeriod there = b.client().once("nightly", TEN);
        Lease reader = held(a.client().readWriteLock("nightly").readLock().acquireAsync());
        assertThat(here.lastRun()).isEmpty();
        reader.release();
        assertThat(here.run(() -> runs.add("here"))).isTrue();
        assertThat(there.run(() -> runs.add("there"))).isFalse();
        assertThat(there.lastRun().orElseThrow().client()).isEqualTo("client-1");
        world.pass(Duration.ofMillis(9_990));
        assertThat(here.run(() -> runs.add("here again"))).isFalse();
        world.pass(Duration.ofMillis(10));
        assertThat(there.run(() -> runs.add("there"))).isTrue();
        assertThat(runs).containsExactly("here", "there");
        assertThat(here.lastRun().orElseThrow().client()).isEqualTo("client-2");
        assertThat(a.size() + b.size()).isZero();
    }

    /** Of two processes that start it each night: late in the first, in time in the second, and after 23 hours in the third. */
    private int nightlyRuns(Duration atLeast) {
        int runs = 0;
        for (Duration pause :
                List.of(Duration.ofMillis(80), Duration.ofDays(1).minusMillis(93), Duration.ofHours(23))) {
            world.pass(pause);
            for (Node each : List.of(a, b)) {
                runs += each.client().once("nightly " + atLeast, atLeast).run(() -> {}) ? 1 : 0;
                world.pass(Duration.ofMillis(17));
            }
        }
        return runs;
    }

    @Test
    void aPeriodThatIsShorterThanTheTimeBetweenStartsSkipsNone() {
        assertThat(nightlyRuns(Duration.ofHours(12))).isEqualTo(3);
        assertThat(nightlyRuns(Duration.ofDays(1))).as("as the page says").isEqualTo(2);
    }

    /** They are meant for locks, and would end the period, or the run, before its time. */
    @Test
    void defaultOptionsThatEndALockDoNotEndAPeriod() {
        for (LockOptions ending : List.of(
                LockOptions.defaults().withFixedLease(Duration.ofSeconds(2)),
                LockOptions.defaults().withMaxHold(Duration.ofSeconds(2)))) {
            Node c = world.client(BelayOptions.defaults().withLockDefaults(ending));
            assertThat(c.client().onBehalfOf("order 4711").once("nightly", TEN).call(() -> {
                        world.pass(Duration.ofSeconds(9));
                        return b.lock("nightly").tryAcquire();
                    }))
                    .contains(Optional.empty());
            assertThat(b.client().admin().inspect("nightly").claims().get(0).behalf())
                    .isEqualTo("order 4711");
            world.pass(Duration.ofMillis(990));
            assertThat(b.lock("nightly").tryAcquire()).isEmpty();
            world.pass(Duration.ofMillis(10));
            assertThat(b.lock("nightly").tryAcquire()).isPresent().get().satisfies(Lease::release);
            c.client().close();
        }
    }

    @Test
    void anActionThatFailsMayBeTriedAgain() throws Exception {
        OncePerPeriod once = a.client().once("nightly", TEN);
        assertThatThrownBy(() -> once.run(() -> {
                    throw new IllegalStateException("out of paper");
                }))
                .hasMessage("out of paper");
        assertThatThrownBy(() -> once.call(() -> {
                    throw new java.io.IOException("out of ink");
                }))
                .hasMessage("out of ink");
        assertThat(once.call(() -> 7)).contains(7);
        assertThat(once.call(() -> 8)).isEmpty();
    }

    @Test
    void anActionWhoseLockWasLostSaysSo() {
        OncePerPeriod once = a.client().once("nightly", TEN);
        assertThatThrownBy(() -> once.run(() -> b.client().admin().forceRelease("nightly")))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("'nightly'");
    }

    @Test
    void anActionThatFailsFreesItsNameAlsoWhereGivingBackFails() {
        OncePerPeriod once = a.client().once("x", LEASE.multipliedBy(100));
        assertThatThrownBy(() -> once.run(() -> {
                    world.failIn("Hold.releaseAtOnce", 0);
                    throw new IllegalStateException("by the action");
                }))
                .isInstanceOf(NoClassDefFoundError.class);
        world.pass(Duration.ofSeconds(1));
        assertThat(b.client().once("x", LEASE.multipliedBy(100)).run(() -> {})).isTrue();
    }
}
