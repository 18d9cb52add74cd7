package io.belay.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.ReentrantDistributedLock;
import io.belay.ReleaseOutcome;
import io.belay.internal.TestWorld.Node;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import io.belay.recipes.StripedLock;
import io.belay.servers.Pace;
import io.belay.spi.Request;
import io.belay.support.Logged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The three outcomes of a release, and what is left in the store after each. */
class ReleaseOutcomeTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();

    private CompletableFuture<ReleaseOutcome> release(FaultyStore.Line line) {
        Lease lease = a.lock("x").acquireAsync().join();
        a.line().line = line;
        // release() blocks for the outcome, so it runs on a thread of its own while the test moves the clock
        CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
        Thread releasing = new Thread(() -> outcome.completeAsync(lease::release, Runnable::run));
        releasing.start();
        // It parks once the line has done with its leave what it does.
        await().until(() -> a.sent(Request.Leave.class) > 0 && releasing.getState() == Thread.State.TIMED_WAITING);
        assertThat(lease.isHeld()).isFalse();
        return outcome;
    }

    @Test
    void aLeaveWhoseAnswerWasLostIsSentAgainAndCountsAsReleasedBeforeTheDeadline() {
        CompletableFuture<ReleaseOutcome> outcome = release(FaultyStore.Line.ANSWERS_LOST);
        assertThat(world.claims("x")).isEmpty();
        a.line().up();
        world.pass(Duration.ofSeconds(2));
        assertThat(outcome.orTimeout(Pace.seconds(), SECONDS).join()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(a.size()).isZero();
    }

    /** The local deadline says nothing then, and another may have had the lock before the first copy came. */
    @Test
    void aSuspendedMachineCannotTellWhatTheReleaseFound() {
        Lease lease = a.lock("x").acquireAsync().join();
        world.time.suspend(Duration.ofMinutes(1));
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        world.at(Duration.ofSeconds(1), a.line()::up);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
    }

    /** While a store is away each of a thousand releases would say so. */
    @Test
    void whatWasGivenBackWithoutAnAnswerIsLoggedOnceInTenSeconds() {
        List<String> lines = Logged.during("was given back, but nobody knows whether it was held until then", () -> {
            for (int i = 0; i < 3; i++) {
                Lease lease = a.lock("x").acquireAsync().join();
                world.time.suspend(Duration.ofMinutes(1));
                a.line().line = FaultyStore.Line.ANSWERS_LOST;
                world.at(Duration.ofSeconds(1), a.line()::up);
                lease.close();
                world.pass(Duration.ofSeconds(1));
            }
        });
        assertThat(lines).singleElement().asString().contains("The lease of 'x'");
    }

    @Test
    void whatIsClosedAfterItWasLostIsLogged() {
        Lease lease = a.lock("x").acquireAsync().join();
        world.client().client().admin().forceRelease("x");
        world.pass(Duration.ofSeconds(1));
        assertThat(Logged.during("was lost before it was closed", lease::close)).hasSize(1);
        assertThat(Logged.during("lease", lease::close)).isEmpty();
    }

    @Test
    void whatIsReleasedOrEndsAsItWasAskedToIsClosedWithoutAWord() {
        Lease released = a.lock("x").acquireAsync().join();
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofSeconds(1));
        Lease ended = a.lock("y", fixed).acquireAsync().join();
        assertThat(Logged.during("lease", () -> {
                    world.pass(Duration.ofSeconds(1));
                    released.close();
                    ended.close();
                }))
                .isEmpty();
        assertThat(ended.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    /** As where a store sends no pushes, and the body ends before the next renewal. */
    @Test
    void aBodyWhoseLockTheReleaseFindsLostFails() {
        a.line().pushesLost = true;
        Runnable takeAway = () -> world.client().client().admin().forceRelease("x#0");
        List<ThrowingCallable> bodies = List.of(
                () -> a.lock("x#0").run(takeAway::run),
                () -> a.lock("x#0").tryRun(Duration.ofSeconds(1), takeAway::run),
                () -> MultiLock.of(a.client(), List.of("x#0", "y")).run(takeAway::run),
                () -> StripedLock.of(a.client(), "x", 1).serve((segment, lease) -> {
                    takeAway.run();
                    return Optional.of(segment);
                }));
        assertThat(bodies).allSatisfy(body -> assertThatThrownBy(body).isInstanceOf(LeaseLostException.class));
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = a.lock("x#0").callAsync(() -> work);
        takeAway.run();
        work.complete("done");
        assertThatThrownBy(result::join).hasCauseInstanceOf(LeaseLostException.class);
    }

    /** As where no memory is left just then; the lock is given back a moment later. */
    @Test
    void aBodyIsOverThoughItsReleaseCannotBegin() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = a.lock("x").callAsync(() -> work);
        world.failIn("Gate.release", 0);
        work.complete("done");
        assertThat(result).isCompletedExceptionally();
        world.pass(Duration.ofSeconds(1));
        assertThat(world.claims("x")).isEmpty();
    }

    /** Ten lines a second would hide all others. */
    @Test
    void ofAReleaseThatFailsForLongALineIsLoggedEveryFiveSeconds() {
        Lease lease = a.lock("x").acquireAsync().join();
        world.failIn("Gate.release", 0);
        assertThatThrownBy(lease::release).isInstanceOf(NoClassDefFoundError.class);
        List<String> lines = Logged.during("Error: thrown by the test", () -> {
            for (int i = 0; i < 60; i++) {
                world.failIn("Timers$Timer$1.fire", 0);
                world.pass(Duration.ofMillis(100));
                assertThat(world.time.atNextLook)
                        .as("the premise: it was thrown")
                        .isNull();
            }
        });
        assertThat(lines).hasSize(2);
        assertThat(world.claims("x")).as("the premise").isNotEmpty();
        world.pass(Duration.ofMillis(100));
        assertThat(world.claims("x")).isEmpty();
    }

    /** The leave was lost with the server that had the claim; the next one may have had other holders since. */
    @Test
    void aServerThatWasReplacedMeanwhileCannotTellWhatTheReleaseFound() {
        a.line().pushesLost = true;
        CompletableFuture<ReleaseOutcome> outcome = release(FaultyStore.Line.SILENT);
        world.store.run(Request.Evict.of("x"));
        a.line().run = 2;
        a.line().up();
        world.pass(Duration.ofSeconds(2));
        assertThat(outcome.orTimeout(Pace.seconds(), SECONDS).join()).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(a.size()).isZero();
    }

    @Test
    void aReleaseThatTheStoreDoesNotAnswerIsUnknownAfterTwiceTheRequestTimeout() {
        CompletableFuture<ReleaseOutcome> outcome = release(FaultyStore.Line.SILENT);
        world.pass(Duration.ofSeconds(4));
        assertThat(outcome.orTimeout(Pace.seconds(), SECONDS).join()).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(world.claims("x")).hasSize(1);
        a.line().up(); // the engine goes on trying, so nobody waits for the whole lease
        world.pass(Duration.ofSeconds(3));
        assertThat(world.claims("x")).isEmpty();
        assertThat(a.size()).isZero();
    }

    @Test
    void aLeaveThatNeverGetsThroughIsGivenUpWhenTheLeaseHasPassed() {
        release(FaultyStore.Line.SILENT);
        world.pass(Duration.ofSeconds(40));
        assertThat(a.size()).isZero();
        assertThat(a.engine().timers.size()).isZero();
    }

    /** A session of ZooKeeper may outlive the outage, and with it the claim, in everybody's way. */
    @Test
    void aLeaveOfAClaimThatDoesNotEndByItselfIsNeverGivenUp() {
        a.line().expiry = false;
        CompletableFuture<ReleaseOutcome> outcome = release(FaultyStore.Line.SILENT);
        world.pass(Duration.ofMinutes(5));
        assertThat(outcome.orTimeout(Pace.seconds(), SECONDS).join()).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(a.size()).isOne();
        long sent = a.sent(Request.Leave.class);
        a.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(a.sent(Request.Leave.class)).isGreaterThan(sent);
        assertThat(a.size()).isZero();
    }

    @Test
    void aLeaseThatTheStoreHasDroppedIsReportedAsLost() {
        Lease lease = a.lock("x").acquireAsync().join();
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> told.add(loss.getMessage()));
        a.line().pushesLost = true;
        world.store.run(Request.Evict.of("x"));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(told).singleElement().asString().contains("no longer had it");
    }

    @Test
    void aReleaseInTimeTellsNobodyOfALoss() {
        Lease lease = a.lock("x").acquireAsync().join();
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> told.add("lost"));
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        world.pass(Duration.ofMinutes(2));
        assertThat(told).isEmpty();
    }

    @Test
    void severalLocksAreGivenBackAllAtOnce() throws Exception {
        MultiLock five = MultiLock.of(a.client(), List.of("v", "w", "x", "y", "z"));
        MultiLease answered = five.acquire();
        a.line().line = FaultyStore.Line.HELD_BACK;
        List<Long> sent = new ArrayList<>();
        world.at(Duration.ofMillis(10), () -> {
            sent.add(a.sent(Request.Leave.class));
            a.line().up();
        });
        answered.close();
        assertThat(sent).as("before the first answer").containsExactly(5L);
        MultiLease silent = five.acquire();
        a.line().line = FaultyStore.Line.SILENT;
        long begin = world.time.nanos();
        silent.close();
        assertThat(Duration.ofNanos(world.time.nanos() - begin)).isLessThanOrEqualTo(Duration.ofMillis(4_010));
    }

    @Test
    void anUnlockInAnOutageReturnsWithinTheRequestTimeoutSinceNothingIsLost() {
        ReentrantDistributedLock lock = a.client().reentrantLock("x");
        lock.lock();
        a.line().line = FaultyStore.Line.SILENT;
        long begin = world.time.nanos();
        lock.unlock();
        assertThat(Duration.ofNanos(world.time.nanos() - begin)).isLessThanOrEqualTo(Duration.ofMillis(2_010));
        a.line().up();
        world.pass(Duration.ofSeconds(5));
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void allLocksOfSeveralAreGivenBackWhateverBecomesOfTheFirst() throws Exception {
        MultiLock several = MultiLock.of(a.lock("x"), a.lock("y"), a.lock("z"));
        for (int i = 0; i < 2; i++) {
            MultiLease all = several.acquire();
            ThrowingCallable given = i == 0 ? all::close : all::releaseAsync;
            world.failIn("Gate.release", 0);
            assertThatThrownBy(given).isInstanceOf(NoClassDefFoundError.class);
            world.pass(Duration.ofSeconds(1));
            for (String name : List.of("x", "y", "z")) {
                assertThat(world.claims(name)).isEmpty();
            }
        }
    }

    @Test
    void whoWaitsForSeveralIsToldAlsoWhereGivingBackFails() {
        Node b = world.client();
        Lease busy = b.lock("z").acquireAsync().join();
        MultiLock several = MultiLock.of(a.lock("x"), a.lock("y"), a.lock("z"));
        world.failIn("Gate.release", 0);
        assertThat(several.tryAcquireAsync()).isCompletedExceptionally();
        world.pass(Duration.ofSeconds(1));
        assertThat(world.claims("x")).isEmpty();
        assertThat(world.claims("y")).isEmpty();
        busy.release();
    }
}
