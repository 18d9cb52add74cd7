package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.DistributedCountDownLatch;
import io.belay.DistributedLock;
import io.belay.LeaderElection.Leader;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LockStatistics.HoldEnd;
import io.belay.LossReason;
import io.belay.ReentrantDistributedLock;
import io.belay.ReleaseOutcome;
import io.belay.SlowWait;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Gate;
import io.belay.internal.gate.Gates;
import io.belay.internal.machine.Terms;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.support.NameRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client's pause means for those who hold, for those who wait, and for those who come after it. */
class PausingTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    /** Opens the client again, and lets it connect, which a thread of its own does. */
    private void resume() {
        a.client().resume();
        world.threads.awaitEnd();
        assertThat(a.client().admin().health().answering()).isTrue();
    }

    private static void assertPaused(CompletableFuture<?> wait) {
        assertThatThrownBy(wait::join)
                .cause()
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageEndingWith("the client is paused");
    }

    @Test
    void theSameObjectsGoOnAndTokensRise() {
        DistributedLock lock = a.lock("x");
        Lease before = held(lock.acquireAsync());
        before.release();
        long number = a.engine().number();
        a.client().pause(Duration.ZERO);
        resume();
        Lease after = held(lock.acquireAsync());
        assertThat(after.token()).isGreaterThan(before.token());
        assertThat(b.lock("x").tryAcquireAsync().join()).isEmpty();
        assertThat(a.client().admin().inspect("x").claims().get(0).own()).isTrue();
        assertThat(a.engine().number())
                .isNotEqualTo(number); // else a checkpoint that is restored twice would share claims
        assertThat(after.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void whatIsHeldStillIsLostAndToldBeforeOthersHaveIt() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<LeaseLostException> losses = new ArrayList<>();
        lease.onLost(losses::add);
        CompletableFuture<Boolean> toldFirst = b.lock("x").acquireAsync().thenApply(next -> !losses.isEmpty());
        a.client().pause(Duration.ofSeconds(3));
        assertThat(losses).singleElement().satisfies(loss -> {
            assertThat(loss).hasMessageContaining("its client was paused while it was held");
            assertThat(loss.reason()).contains(LossReason.CLOSED);
        });
        assertThat(toldFirst).isCompletedWithValue(true);
        resume();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    @Test
    void aThreadIsToldAtItsUnlockAndLocksAgainAfterwards() {
        ReentrantDistributedLock lock = a.client().reentrantLock("x");
        lock.lock();
        a.client().pause(Duration.ZERO);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        resume();
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    @Test
    void everyWaitEndsAndSaysWhy() {
        LockOptions strict = LockOptions.defaults().withStrictOrder(true);
        Lease theirs = held(b.lock("x").acquireAsync());
        List<CompletableFuture<Lease>> waits = List.of(
                a.lock("x").acquireAsync(),
                a.lock("x", strict).acquireAsync(),
                a.client().election("x").campaignAsync(),
                a.client().readWriteLock("x").readLock().acquireAsync());
        a.client().pause(Duration.ofMinutes(1));
        assertThat(waits).allSatisfy(PausingTest::assertPaused);
        assertPaused(a.lock("y").acquireAsync());
        assertPaused(a.lock("y", strict).tryAcquireAsync(Duration.ofHours(1)));
        assertThat(a.size()).isZero();
        assertThat(a.engine().timers.size()).isZero();
        assertThat(world.claims("x")).hasSize(1);
        resume();
        theirs.release();
        held(a.lock("x").acquireAsync()).release();
    }

    @Test
    void aDrainWaitsForHoldersAndLetsNobodyElseIn() {
        ReentrantDistributedLock holds = a.client().reentrantLock("x");
        holds.lock();
        DistributedCountDownLatch latch = a.client().countDownLatch("latch");
        assertThat(latch.trySetCount(2)).isTrue();
        world.at(Duration.ofSeconds(40), () -> {
            assertPaused(a.lock("y").acquireAsync());
            assertThat(latch.countDown()).isOne(); // a last step of what is being finished
            holds.lock();
            holds.unlock();
            holds.unlock();
        });
        long begin = world.time.nanos();
        a.client().pause(Duration.ofMinutes(10));
        assertThat(Duration.ofNanos(world.time.nanos() - begin))
                .isBetween(Duration.ofSeconds(40), Duration.ofSeconds(41));
        assertThatThrownBy(latch::countDown)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("paused");
        resume();
        assertThat(latch.countDown()).isZero();
    }

    @Test
    void whatIsAskedOfItMeanwhileSaysThatItIsPaused() {
        held(a.lock("x").acquireAsync()).release();
        a.client().pause(Duration.ZERO);
        int sent = a.line().sent.size();
        Belay view = a.client().namespace("shop");
        List<Runnable> questions = List.of(
                () -> a.client().admin().inspect("x"),
                () -> view.admin().names("").toList(),
                () -> a.client().admin().forceRelease("x"),
                () -> a.client().election("x").leader(),
                () -> a.client().election("x").observe(leader -> {}),
                () -> a.client().semaphore("s", 3).available(),
                () -> a.client().lock("x").isLocked());
        assertThat(questions)
                .allSatisfy(question -> assertThatThrownBy(question::run)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageEndingWith("the client is paused"));
        assertThat(a.client().admin().health().answering()).isFalse();
        assertThat(a.client().admin().health().failure()).hasValue("the client is paused");
        assertThat(a.client().admin().statistics().locks().get("x").holds().counts())
                .containsEntry(HoldEnd.RELEASED, 1L);
        assertThat(a.client().admin().statistics().outages()).isZero();
        assertThat(a.client().admin().holds()).isEmpty();
        assertThat(a.client().admin().waits()).isEmpty();
        assertThat(a.client().admin().capabilities())
                .isEqualTo(b.client().admin().capabilities());
        assertThat(a.line().sent).hasSize(sent);
        resume();
        assertThat(a.client().admin().health().failure()).isEmpty();
        assertThat(a.client().admin().statistics().outages()).isZero();
    }

    @Test
    void anObserverIsToldOfTheLeaderThatCameMeanwhile() {
        List<Optional<Leader>> seen = new ArrayList<>();
        try (var observation = a.client().election("x").observe(seen::add)) {
            assertThat(seen).containsExactly(Optional.empty());
            a.client().pause(Duration.ZERO);
            Lease leads = held(b.client().election("x").campaignAsync());
            world.pass(Duration.ofMinutes(2));
            assertThat(seen).hasSize(1);
            resume();
            world.pass(Duration.ofSeconds(1));
            assertThat(seen).hasSize(2);
            assertThat(seen.get(1))
                    .hasValueSatisfying(leader -> assertThat(leader.token()).isEqualTo(leads.token()));
            leads.release();
            world.pass(Duration.ofSeconds(1));
            assertThat(seen).hasSize(3);
            assertThat(observation).isNotNull();
        }
        world.pass(Duration.ofSeconds(1));
        assertThat(a.size()).isZero();
        assertThat(a.engine().timers.size()).isZero();
    }

    /** The first step of an observer stands still, while another thread pauses the client. */
    @Test
    void aPauseWaitsForTheStepOfWhoBeginsToObserve() throws InterruptedException {
        Gate gate =
                new Gates(a.engine()).apart(Terms.of("x", Resource.WHOLE, 1, 30_000_000, Terms.Use.OBSERVER), () -> {});
        Thread pausing = new Thread(() -> a.client().pause(Duration.ZERO));
        gate.step(machine -> {
            pausing.start();
            while (pausing.isAlive() && pausing.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            machine.observe("main");
        });
        pausing.join();
        assertThat(a.engine().size()).isZero();
        assertThat(world.claims("x")).isEmpty();
    }

    /** As on ZooKeeper, where a claim ends with its connection. */
    @Test
    void whatWasToBeLeftByAFormerConnectionIsNotLeftByTheNext() {
        String observers = NameRules.hidden("e", "observers");
        a.line().expiry = false;
        a.line().unanswered = request -> request.resource().equals(observers);
        held(a.client().election("e").campaignAsync());
        assertThat(world.claims(observers)).as("the announcement").hasSize(1);
        a.client().pause(Duration.ZERO);
        resume();
        world.pass(Duration.ofSeconds(5));
        assertThat(a.leaves(observers)).isZero();
    }

    @Test
    void aStoreThatIsAwayKeepsNobodyFromAPauseAndIsConnectedToOnceItIsThere() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        long begin = world.time.nanos();
        a.client().pause(Duration.ZERO);
        assertThat(Duration.ofNanos(world.time.nanos() - begin)).isLessThanOrEqualTo(Duration.ofMillis(2_100));
        assertThat(lease.isHeld()).isFalse();
        resume();
        CompletableFuture<Lease> again = a.lock("x").acquireAsync();
        assertThat(again).isNotDone(); // behind the claim that the store still has
        world.pass(TestWorld.LEASE);
        assertThat(held(again).token()).isGreaterThan(lease.token());
    }

    /** Pauses the client while the store answers nobody, and opens it again; returns its line of before. */
    private FaultyStore reconnected() {
        held(a.lock("x").acquireAsync());
        FaultyStore former = a.line();
        former.line = FaultyStore.Line.HELD_BACK;
        a.client().pause(Duration.ZERO);
        resume();
        return former;
    }

    /** A driver may end what it was asked some time after it was closed. */
    @Test
    void whatTheFormerConnectionFailsLaterIsNoFailureOfTheStore() {
        FaultyStore former = reconnected();
        long outages = a.client().admin().statistics().outages();
        former.failHeldBack();
        assertThat(a.client().admin().health().answering()).isTrue();
        assertThat(a.client().admin().statistics().outages()).isEqualTo(outages);
    }

    @Test
    void whatTheFormerConnectionAnswersLaterTellsNothingOfThePresentOne() {
        FaultyStore former = reconnected();
        a.line().line = FaultyStore.Line.REFUSED;
        CompletableFuture<Lease> waits = a.lock("y").acquireAsync();
        former.up();
        assertThat(a.client().admin().health().answering()).isFalse();
        assertThat(a.engine().patience())
                .as("the first answer may take long")
                .isEqualTo(a.engine().requestTimeout());
        assertThat(waits).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Gate.begin", "Life.awaitEnd"})
    void whateverIsThrownMeanwhileItIsPausedAndGoesOnByAnotherConnection(String where) {
        held(a.lock("x").acquireAsync());
        FaultyStore former = a.line();
        former.thrownAtClose = new IllegalStateException("thrown by the test");
        world.failIn(where, 0);
        a.client().pause(Duration.ofMillis(20));
        assertThat(world.time.atNextLook).as("it was thrown").isNull();
        assertThat(former.wasClosed).isTrue();
        assertPaused(a.lock("x").acquireAsync());
        resume();
        assertThat(a.line()).isNotSameAs(former);
        held(a.lock("x").acquireAsync()).release();
    }

    @Test
    void aLookAtHoldersThatFailsTakesNothingAwayFromThem() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<LeaseLostException> losses = new ArrayList<>();
        lease.onLost(losses::add);
        List<ReleaseOutcome> outcomes = new ArrayList<>();
        world.at(Duration.ofSeconds(10), () -> lease.releaseAsync().thenAccept(outcomes::add));
        world.failIn("Life.isWaitedFor", 0);
        a.client().pause(Duration.ofSeconds(20));
        assertThat(world.time.atNextLook).as("it was thrown").isNull();
        assertThat(losses).isEmpty();
        assertThat(outcomes).containsExactly(ReleaseOutcome.RELEASED);
    }

    @Test
    void anInterruptedThreadWaitsForNoHoldersButForTheStore() {
        held(a.lock("x").acquireAsync());
        a.line().delay = request -> world.at(Duration.ofMillis(500), request);
        long begin = world.time.nanos();
        Thread.currentThread().interrupt();
        a.client().pause(Duration.ofMinutes(10));
        assertThat(Thread.interrupted()).as("kept for later").isTrue();
        assertThat(world.claims("x")).isEmpty();
        assertThat(world.time.nanos() - begin).isLessThan(1_000_000_000);
    }

    @Test
    void itCanBePausedAgainAndAgain() {
        long token = 0;
        for (int i = 0; i < 5; i++) {
            a.client().pause(Duration.ZERO);
            a.client().pause(Duration.ofMinutes(1));
            resume();
            a.client().resume();
            Lease lease = held(a.lock("x").acquireAsync());
            assertThat(lease.token()).isGreaterThan(token);
            token = lease.token();
            lease.release();
        }
        assertThat(a.sent(Request.Enter.class)).isOne(); // by the last connection
    }

    @Test
    void aClosedClientStaysClosed() {
        a.client().pause(Duration.ZERO);
        a.client().close();
        assertThatThrownBy(() -> a.lock("x").acquireUninterruptibly()).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(a.client()::resume).isInstanceOf(ClientClosedException.class);
        a.client().pause(Duration.ofMinutes(1));
        assertThat(a.size()).isZero();
    }

    /** Somebody closes the client while holders are waited for. */
    @Test
    void aCloseEndsAPauseThatIsUnderWay() {
        Lease lease = held(a.lock("x").acquireAsync());
        world.at(Duration.ofSeconds(1), () -> a.engine().life.drain(0));
        a.client().pause(Duration.ofSeconds(3));
        assertThat(lease.isHeld()).isTrue();
        assertThatThrownBy(() -> a.lock("y").acquireUninterruptibly()).isInstanceOf(ClientClosedException.class);
        a.client().close();
        assertThat(lease.isHeld()).isFalse();
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aViewPausesNothing() {
        Belay view = a.client().namespace("shop").onBehalfOf("order");
        view.pause(Duration.ofMinutes(1));
        held(view.lock("x").acquireAsync()).release();
        view.resume();
        assertThatThrownBy(() -> a.client().pause(Duration.ofSeconds(-1))).hasMessageContaining("drain");
    }

    /** The slow waits of a client that was paused are told afterwards, too. */
    @Test
    void slowWaitsAreToldAfterwardsToo() {
        List<String> told = new ArrayList<>();
        Node c = world.client(BelayOptions.defaults().withListener(new BelayListener() {
            @Override
            public void slowWait(SlowWait wait) {
                told.add(wait.waiter().name());
            }
        }));
        held(b.lock("x").acquireAsync());
        CompletableFuture<Lease> waits = c.lock("x").acquireAsync();
        world.pass(Duration.ofSeconds(2));
        c.client().pause(Duration.ZERO);
        assertPaused(waits);
        assertThat(told).hasSize(1);
        c.client().resume();
        world.threads.awaitEnd();
        assertThat(c.lock("x").acquireAsync()).isNotDone();
        world.pass(Duration.ofSeconds(2));
        assertThat(told).hasSize(2);
    }
}
