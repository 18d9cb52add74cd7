package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.ReentrantDistributedLock;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import io.belay.internal.machine.Failure;
import io.belay.internal.primitive.Lock;
import io.belay.internal.primitive.ReentrantLock;
import io.belay.internal.primitive.ReentrantLocks;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Push;
import io.belay.spi.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting, being served, and leaving the queue. */
class WaitingTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    /** Callbacks run on the test's thread here, which must not wait for what it sends itself. */
    private static void giveBack(Lease lease) {
        ((Hold) lease).discard();
    }

    /** Whatever a test did: when all is given back nothing is left, not in the clients and, after a minute, not in the store. */
    @AfterEach
    void nothingIsLeft() {
        for (Node node : List.of(a, b)) {
            node.line().up();
            world.pass(Duration.ofSeconds(3)); // what was sent into the silence is sent again
            node.client().close();
            world.pass(Duration.ofMinutes(1));
            assertThat(node.size()).isZero();
            assertThat(node.engine().timers.size()).isZero();
        }
        world.pass(Duration.ofMinutes(2));
        world.store.run(Request.Leave.of("other", ClaimId.of(9, 9), false));
        assertThat(world.store.size()).isZero();
    }

    @Test
    void aReleaseWakesTheNextClientByAPushWithoutASecondAttempt() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> second = b.lock("x").acquireAsync();
        assertThat(second).isNotDone();
        int before = b.line().sent.size();
        first.release();
        assertThat(held(second).token()).isGreaterThan(first.token());
        assertThat(b.line().sent).hasSize(before);
    }

    @Test
    void aWaiterCostsNothingWhileItWaitsButItsRenewals() {
        held(a.lock("x").acquireAsync());
        b.lock("x").acquireAsync();
        world.pass(Duration.ofMinutes(1));
        assertThat(b.sent(Request.Enter.class)).isEqualTo(1);
        assertThat(b.line().sent.size()).isBetween(29, 32); // every 2 s, so that it notices a grant to somebody dead
    }

    @Test
    void waitersOfOneClientHandTheLockOnWithoutAStoreCall() {
        List<Lease> order = new ArrayList<>();
        Lock lock = a.lock("x");
        for (int i = 0; i < 50; i++) {
            lock.acquireAsync().thenAccept(lease -> {
                order.add(lease);
                giveBack(lease);
            });
        }
        assertThat(order).hasSize(50).isSortedAccordingTo((l, r) -> Long.compare(l.token(), r.token()));
        assertThat(a.sent(Request.Enter.class)).isEqualTo(50); // each was alone when it came
        Lease first = held(lock.acquireAsync());
        int calls = a.line().sent.size();
        for (int i = 0; i < 50; i++) {
            lock.acquireAsync().thenAccept(WaitingTest::giveBack);
        }
        first.release();
        assertThat(a.line().sent).hasSize(calls + 1); // the last one's leave
        assertThat(order.get(0).isHeld()).isFalse();
    }

    @Test
    void reEntryMakesNoStoreCall() {
        ReentrantDistributedLock lock = a.client().reentrantLock("x");
        lock.lock();
        int calls = a.line().sent.size();
        for (int i = 0; i < 1_000; i++) {
            lock.lock();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
        }
        for (int i = 0; i < 1_000; i++) {
            lock.unlock();
        }
        assertThat(a.line().sent).hasSize(calls);
        lock.unlock();
        assertThat(a.line().sent).hasSize(calls + 1);
    }

    @Test
    void afterItsSliceAClientYieldsToTheOthersAndComesBackInTurn() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> other = b.lock("x").acquireAsync();
        CompletableFuture<Lease> own = a.lock("x").acquireAsync();
        world.pass(Duration.ofMillis(3));
        first.release();
        assertThat(own).isNotDone();
        Lease others = held(other);
        others.release();
        assertThat(held(own).token()).isGreaterThan(others.token());
        own.join().release();
    }

    @Test
    void withinItsSliceAClientServesItsOwnFirst() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> other = b.lock("x").acquireAsync();
        CompletableFuture<Lease> own = a.lock("x").acquireAsync();
        world.pass(Duration.ofMillis(1));
        first.release();
        held(own).release();
        held(other).release();
    }

    @Test
    void strictOrderServesCallersOfDifferentClientsExactlyAsTheyCame() {
        LockOptions strict = LockOptions.defaults().withStrictOrder(true);
        List<Integer> served = new ArrayList<>();
        Lease first = held(a.lock("x", strict).acquireAsync());
        for (int i = 0; i < 10; i++) {
            int caller = i;
            (i % 3 == 0 ? b : a).lock("x", strict).acquireAsync().thenAccept(lease -> {
                served.add(caller);
                giveBack(lease);
            });
        }
        first.release();
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void aFreshSequenceIsAskedForBeforeTheTokensOfOneRunOut() {
        LockOptions wide = LockOptions.defaults().withSlice(Duration.ofMinutes(1));
        Lock lock = a.lock("x", wide);
        Lease[] held = {held(lock.acquireAsync())};
        long[] last = {held[0].token()};
        for (int i = 0; i < 5_000; i++) {
            CompletableFuture<Lease> next = lock.acquireAsync();
            held[0].release();
            held[0] = held(next);
            assertThat(held[0].token()).isGreaterThan(last[0]);
            last[0] = held[0].token();
        }
        assertThat(a.sent(Request.Renew.class)).isBetween(9L, 10L);
        assertThat(a.sent(Request.Yield.class)).isZero();
    }

    @Test
    void tokensRiseThoughTheStoreGivesNoFreshSequenceBecauseOthersWait() {
        LockOptions wide = LockOptions.defaults().withSlice(Duration.ofMinutes(1));
        Lock lock = a.lock("x", wide);
        Lease[] held = {held(lock.acquireAsync())};
        CompletableFuture<Lease> other = b.lock("x").acquireAsync();
        CompletableFuture<Lease> next = null;
        for (int i = 0; i < 1_023; i++) {
            next = lock.acquireAsync();
            held[0].release();
            held[0] = held(next);
        }
        next = lock.acquireAsync();
        held[0].release();
        assertThat(next).isNotDone(); // the last token of the sequence is spent: the others come first
        Lease others = held(other);
        assertThat(others.token()).isGreaterThan(held[0].token());
        others.release();
        assertThat(held(next).token()).isGreaterThan(others.token());
    }

    /** A store that keeps the number of those who wait writes whenever it is told another one. */
    @Test
    void aFreshSequenceIsAskedForWithAsManyWaitersAsTheYieldTells() {
        Lock lock = a.lock("x", LockOptions.defaults().withSlice(Duration.ofMinutes(1)));
        Hold first = (Hold) held(lock.acquireAsync());
        List<Hold> parked =
                List.of(new Hold(first.gate, first.asks, false, null), new Hold(first.gate, first.asks, false, null));
        parked.forEach(hold -> hold.gate.enter(hold, Long.MAX_VALUE));
        CompletableFuture<Lease> other = b.lock("x").acquireAsync();
        Lease last = first;
        for (int i = 1; i < 1_024; i++) {
            last.release();
            last = held(lock.acquireAsync()); // it comes before those who are still to wake up
        }
        assertThat(a.sent(Request.Renew.class)).isEqualTo(1);
        int told = world.claims("x").get(0).localWaiters();
        last.release();
        assertThat(other).isDone();
        assertThat(world.claims("x").get(1).localWaiters()).isEqualTo(told).isEqualTo(1);
        parked.forEach(hold -> hold.gate.step(machine -> machine.gaveUp(hold, Failure.NOT_HAD)));
        giveBack(held(other));
    }

    @Test
    void aCancelledWaitLeavesNoClaim() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        assertThat(world.claims("x")).hasSize(2);
        waiting.cancel(true);
        assertThat(world.claims("x")).hasSize(1);
        assertThat(b.size()).isZero();
        first.release();
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aWaitThatIsCancelledBehindAnotherOfItsClientLeavesTheOtherAlone() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> one = b.lock("x").acquireAsync();
        CompletableFuture<Lease> two = b.lock("x").acquireAsync();
        one.cancel(true);
        first.release();
        assertThat(held(two).isHeld()).isTrue();
    }

    @Test
    void aTimedWaitEndsEmptyAtItsTimeAndLeavesTheQueue() {
        held(a.lock("x").acquireAsync());
        CompletableFuture<Optional<Lease>> waiting = b.lock("x").tryAcquireAsync(Duration.ofSeconds(5));
        world.pass(Duration.ofMillis(4_999));
        assertThat(waiting).isNotDone();
        world.pass(Duration.ofMillis(1));
        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(world.claims("x")).hasSize(1);
    }

    @Test
    void aTimedWaitEndsThoughAnErrorEndsTheStepOfItsTimer() {
        held(a.lock("x").acquireAsync());
        CompletableFuture<Optional<Lease>> waiting = b.lock("x").tryAcquireAsync(Duration.ofSeconds(5));
        world.failIn("Gate.fire", 0);
        world.pass(Duration.ofSeconds(6));
        assertThat(world.time.atNextLook).as("the premise: it was thrown").isNull();
        assertThat(waiting).isCompletedWithValue(Optional.empty());
    }

    /** A try that is under way may have been refused already: who comes after that asks for itself. */
    @Test
    void whoTriesWhileAnotherTryIsUnderWayIsNotRefusedWithIt() {
        Lease held = held(a.lock("x").acquireAsync());
        b.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Optional<Lease>> first = b.lock("x").tryAcquireAsync();
        b.line().takeHeldBack().forEach(Runnable::run);
        CompletableFuture<Optional<Lease>> second = b.lock("x").tryAcquireAsync();
        CompletableFuture<Optional<Lease>> third = b.lock("x").tryAcquireAsync();
        CompletableFuture<Optional<Lease>> givenUp = b.lock("x").tryAcquireAsync();
        assertThat(first).isCompletedWithValue(Optional.empty());
        givenUp.cancel(true);
        giveBack(held);
        b.line().up();
        assertThat(second).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(third).as("the second has it").isCompletedWithValue(Optional.empty());
        giveBack(second.join().orElseThrow());
    }

    @Test
    void tryAcquireOnABusyLockEntersNoClaimAndLocallyMakesNoCall() {
        held(a.lock("x").acquireAsync());
        assertThat(b.lock("x").tryAcquireAsync()).isCompletedWithValue(Optional.empty());
        assertThat(b.line().sent).as("one round trip").hasSize(1);
        assertThat(world.claims("x")).hasSize(1);
        int calls = a.line().sent.size();
        assertThat(a.lock("x").tryAcquireAsync()).isCompletedWithValue(Optional.empty());
        assertThat(a.line().sent).hasSize(calls);
    }

    @Test
    void whoComesWhileATryIsOnItsWayWaitsProperlyWhenItFails() {
        Lease first = held(a.lock("x").acquireAsync());
        b.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Optional<Lease>> attempt = b.lock("x").tryAcquireAsync();
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        b.line().up();
        assertThat(attempt).isCompletedWithValue(Optional.empty());
        assertThat(waiting).isNotDone();
        first.release();
        held(waiting).release();
    }

    @Test
    void aPushThatIsLostDelaysTheNextByAtMostThePickUpAndAPoll() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> second = b.lock("x").acquireAsync();
        b.line().pushesLost = true;
        first.release();
        assertThat(second).isNotDone();
        CompletableFuture<Lease> third = a.lock("x").acquireAsync();
        world.pass(Duration.ofMillis(2_500)); // b did not pick up; a had it for less than a pick-up time, then b again
        assertThat(held(third).isHeld()).isTrue();
        third.join().release();
        world.pass(Duration.ofSeconds(2)); // b asks at the latest after the pick-up time, then polls faster
        assertThat(held(second).isHeld()).isTrue();
    }

    @Test
    void deadWaitersDelayTheNextByThePickUpTimeEach() {
        Lease first = held(a.lock("x").acquireAsync());
        List<Node> dead = List.of(world.client(), world.client());
        dead.forEach(node -> node.lock("x").acquireAsync());
        CompletableFuture<Lease> next = b.lock("x").acquireAsync();
        dead.forEach(node -> node.line().line = FaultyStore.Line.SILENT);
        dead.forEach(node -> node.line().pushesLost = true);
        world.pass(Duration.ofMillis(700)); // their waiting claims still run when the lock is handed over
        first.release();
        world.pass(Duration.ofMillis(2 * 2_000 + 500));
        assertThat(held(next).isHeld()).isTrue();
    }

    @Test
    void theLockOfADeadHolderIsHadWithinItsLease() {
        held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> next = b.lock("x").acquireAsync();
        a.line().line = FaultyStore.Line.SILENT; // the process was killed
        world.pass(Duration.ofMillis(30_101)); // the first in the queue asks 100 ms after the expiry it was told
        assertThat(held(next).isHeld()).isTrue();
    }

    @Test
    void aWaiterWhoseClaimExpiredUnnoticedEntersAgain() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        b.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofSeconds(40));
        assertThat(world.claims("x")).hasSize(1);
        b.line().up();
        world.pass(Duration.ofSeconds(3));
        first.release();
        assertThat(held(waiting).isHeld()).isTrue();
    }

    /** As on etcd: where it was told wrongly that a claim is gone, the claim would keep others out for as long as its client lives. */
    @Test
    void whatIsToldToBeGoneIsLeftWhereNothingEndsByItself() {
        b.line().expiry = false;
        held(a.lock("x").acquireAsync());
        b.lock("x").acquireAsync();
        b.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofSeconds(40));
        assertThat(b.sent(Request.Leave.class)).isZero();
        b.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(b.sent(Request.Leave.class)).isOne();
        assertThat(world.claims("x")).as("it has entered again").hasSize(2);
    }

    @Test
    void aGrantForAClaimThatTheClientDoesNotKnowIsLeftAtOnce() {
        ClaimId stray = ClaimId.of(1, 4711);
        Request.Enter enter = Request.Enter.of(
                "x",
                stray,
                ClaimSpec.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 30_000_000),
                0,
                io.belay.spi.Owner.of("a", "h", 1, "t"));
        long sequence = world.store.run(enter).sequence();
        a.engine().pushed(Push.granted("x", stray, sequence, world.time.micros(), world.time.micros() + 1));
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aStoreThatWentBackIsNotTrusted() {
        Lock lock = a.lock("x");
        held(lock.acquireAsync()).release();
        lock.asks.raise(Long.MAX_VALUE - 1);
        CompletableFuture<Lease> next = lock.acquireAsync();
        assertThatThrownBy(next::join)
                .hasCauseInstanceOf(LockRefusedException.class)
                .hasMessageContaining("went back");
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aStoreThatWentBackIsNotTrustedWithFixedLeasesOfAReentrantLockEither() throws Exception {
        Lock lock = a.lock("x");
        ReentrantLock reentrant = new ReentrantLock(lock, new ReentrantLocks(world.time));
        assertThat(reentrant.tryLock(Duration.ZERO, Duration.ofSeconds(1))).isTrue();
        reentrant.unlock();
        lock.asks.raise(Long.MAX_VALUE - 1);
        assertThatThrownBy(() -> reentrant.tryLock(Duration.ZERO, Duration.ofSeconds(1)))
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining("went back");
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void closingFailsThoseWhoWaitAndGivesBackWhatIsHeld() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> behind = a.lock("x").acquireAsync();
        CompletableFuture<Lease> alone =
                a.lock("x", LockOptions.defaults().withStrictOrder(true)).acquireAsync();
        CompletableFuture<Lease> other = b.lock("x").acquireAsync();
        a.client().close();
        assertThatThrownBy(behind::join).hasCauseInstanceOf(ClientClosedException.class);
        assertThatThrownBy(alone::join).hasCauseInstanceOf(ClientClosedException.class);
        assertThat(first.isHeld()).isFalse();
        assertThat(held(other).isHeld()).isTrue();
        assertThatThrownBy(() -> a.lock("x").acquireAsync().join()).hasCauseInstanceOf(ClientClosedException.class);
    }

    @Test
    void aFutureThatIsCompletedByItsUserGivesBackWhatItIsGrantedLater() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        waiting.completeExceptionally(new IllegalStateException("orTimeout, for instance"));
        first.release();
        assertThat(world.claims("x")).isEmpty();
    }

    /** As futures are: what waits for one of them has no word with it. */
    @Test
    void onlyTheFutureItselfLeavesTheQueue() {
        Lease first = held(a.lock("x").acquireAsync());
        b.lock("x").acquireAsync().cancel(true);
        assertThat(world.claims("x")).hasSize(1);
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        waiting.thenApply(Lease::token).cancel(true);
        assertThatThrownBy(() -> waiting.get(0, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        first.release();
        assertThat(held(waiting).isHeld()).isTrue();
    }

    @Test
    void anotherCapacityIsRefusedWithBothFigures() {
        world.store.run(Request.Enter.of(
                "x",
                ClaimId.of(9, 1),
                ClaimSpec.of(5, 1, 30_000_000),
                0,
                io.belay.spi.Owner.of("someone", "h", 1, "t")));
        CompletableFuture<Lease> refused = a.lock("x").acquireAsync();
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(LockRefusedException.class)
                .hasMessageContaining("'x'")
                .hasMessageContaining("a semaphore of 5 permits")
                .hasMessageContaining("a lock")
                .hasMessageContaining("another name");
        world.store.run(Request.Leave.of("x", ClaimId.of(9, 1), false));
    }

    @Test
    void inspectNamesThePresentThreadAndTheLocalWaiters() {
        held(a.lock("x").acquireAsync());
        a.lock("x").acquireAsync();
        b.lock("x").acquireAsync();
        var own = a.client().admin().inspect("x").claims();
        assertThat(own).hasSize(2);
        assertThat(own.get(0).own()).isTrue();
        assertThat(own.get(0).client()).isEqualTo("client-1");
        assertThat(own.get(0).localWaiters()).isEqualTo(1);
        assertThat(own.get(0).thread()).isEqualTo(Thread.currentThread().getName());
        assertThat(own.get(1).place()).isEqualTo(1);
        assertThat(own.get(1).token()).isZero();
        world.pass(Duration.ofSeconds(11)); // what happens inside a comes along with its renewals
        assertThat(b.client().admin().inspect("x").claims().get(0).localWaiters())
                .isEqualTo(1);
        assertThat(b.client().admin().inspect("x").claims().get(0).age()).isGreaterThan(Duration.ofSeconds(10));
    }

    @Test
    void namespacesArePrefixes() {
        assertThat(a.client().namespace("shop").namespace("eu").lock("x").name())
                .isEqualTo("shop:eu:x");
        assertThat(world.client(BelayOptions.defaults()).client().lock("x").name())
                .isEqualTo("x");
    }
}
