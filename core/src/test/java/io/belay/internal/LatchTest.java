package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.DistributedCountDownLatch;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.servers.Pace;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.support.NameRules;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A latch counts right whatever is lost or late, and leaves nothing behind. */
class LatchTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client(BelayOptions.defaults().withRequestTimeout(Duration.ofMillis(50)));
    private final Node b = world.client();
    private final DistributedCountDownLatch onA = a.client().countDownLatch("l");
    private final DistributedCountDownLatch onB = b.client().countDownLatch("l");

    @AfterEach
    void nothingIsLeft() {
        onB.delete();
        for (Node node : List.of(a, b)) {
            node.client().close();
            assertThat(node.size()).isZero();
            assertThat(node.engine().timers.size()).isZero();
        }
        assertThat(world.claims("l")).isEmpty();
        assertThat(world.claims(NameRules.hidden("l", "count"))).isEmpty();
    }

    private <T extends Request> T last(Class<T> kind) {
        List<T> all = a.line().sent.stream()
                .filter(request -> request.resource().equals("l"))
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
        return all.get(all.size() - 1);
    }

    @Test
    void aCountStandsForYearsWithoutARequest() {
        assertThat(onA.trySetCount(2)).isTrue();
        int sent = a.line().sent.size();
        world.pass(Duration.ofDays(3_650));
        assertThat(a.line().sent).hasSize(sent);
        assertThat(onB.getCount()).isEqualTo(2);
        assertThat(onB.countDown()).isEqualTo(1);
        assertThat(onA.countDown()).isZero();
    }

    @Test
    void aCountDownWhoseAnswerIsLostIsSentAgainAndCountsOnce() {
        for (Class<? extends Request> kind : List.of(Request.Reweight.class, Request.Leave.class)) {
            boolean[] lost = new boolean[1];
            assertThat(onA.trySetCount(kind == Request.Leave.class ? 1 : 3)).isTrue();
            a.line().unanswered = request -> {
                boolean first = kind.isInstance(request) && request.resource().equals("l") && !lost[0];
                lost[0] |= first;
                return first;
            };
            long before = onB.getCount();
            assertThat(onA.countDown()).isEqualTo(before - 1);
            assertThat(lost[0]).isTrue();
            assertThat(onB.getCount()).isEqualTo(before - 1);
            onB.delete();
        }
    }

    @Test
    void aCountDownWhoseConnectionIsLostIsSentAgainOnceThereIsAnother() {
        onA.trySetCount(3);
        a.line().unanswered = request -> {
            boolean counts = request instanceof Request.Reweight;
            if (counts) {
                a.line().line = FaultyStore.Line.REFUSED;
                world.at(Duration.ofMillis(10), a.line()::up);
                a.line().unanswered = later -> false;
            }
            return counts;
        };
        assertThat(onA.countDown()).isEqualTo(2);
        assertThat(onB.getCount()).isEqualTo(2);
    }

    @Test
    void aCountDownThatIsNeverAnsweredSaysThatItMayHaveBeenMade() {
        onA.trySetCount(3);
        a.line().unanswered = request -> request instanceof Request.Reweight;
        assertThatThrownBy(onA::countDown)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("latch 'l'")
                .hasMessageContaining("may or may not have been done");
        a.line().unanswered = request -> false;
        assertThat(onA.getCount()).isEqualTo(2);
        assertThat(onA.countDown()).isEqualTo(1);
    }

    @Test
    void whoWasStoppedWhileItCountedDownSaysThatItMayHaveBeenMade() {
        onA.trySetCount(3);
        a.line().unanswered = request -> {
            if (request instanceof Request.Reweight) {
                world.freeze(Duration.ofSeconds(6)); // another may have had the turn, and made this very change
            }
            return false;
        };
        assertThatThrownBy(onA::countDown)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("too late to tell");
        assertThat(onB.countDown()).isEqualTo(1);
    }

    /** Answers may take all of the request timeout, and others may have the turn for longer than that. */
    @Test
    void whoWaitsForATurnKeepsItsPlaceWhileOthersAreSlow() throws Exception {
        onA.trySetCount(3);
        String turns = NameRules.hidden("l", "count");
        ClaimId other = ClaimId.of(99, 1);
        Owner owner = Owner.of("other", "host", 1, "main");
        world.store.run(Request.Enter.of(turns, other, ClaimSpec.whole(60_000_000), 0, owner));
        CompletableFuture<Long> counted = new CompletableFuture<>();
        Thread counting = new Thread(() -> counted.completeAsync(onA::countDown, Runnable::run));
        counting.start();
        // It parks once it has the answer to its enter.
        await().until(() -> world.claims(turns).size() == 2 && counting.getState() == Thread.State.TIMED_WAITING);
        a.line().line = FaultyStore.Line.HELD_BACK;
        for (int i = 0; i < 4; i++) {
            world.pass(Duration.ofMillis(45));
            a.line().takeHeldBack().forEach(Runnable::run);
        }
        assertThat(counted).isNotDone();
        assertThat(a.line().sent.stream().filter(request -> request.resource().equals(turns)))
                .filteredOn(Request.Enter.class::isInstance)
                .hasSize(1);
        a.line().up();
        world.store.run(Request.Leave.of(turns, other, false));
        assertThat(counted.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void whoIsLetThroughIsKeptForNoLongerThanAMomentByAStoreThatStopsJustThen() throws Exception {
        Node c = world.client();
        DistributedCountDownLatch onC = c.client().countDownLatch("l");
        onB.trySetCount(1);
        world.at(Duration.ofSeconds(1), () -> {
            onB.countDown();
            c.line().line = FaultyStore.Line.HELD_BACK;
        });
        long begun = world.time.nanos();
        assertThat(onC.await(Duration.ofMillis(1_100))).isTrue();
        assertThat(Duration.ofNanos(world.time.nanos() - begun)).isLessThan(Duration.ofMillis(1_300));
        assertThat(world.claims("l")).as("the place that it has yet").hasSize(1);
        c.line().up();
        assertThat(world.claims("l")).isEmpty();
        assertThat(onB.trySetCount(1)).isTrue();
    }

    /** A store may refuse long leases, and users say then which they want. */
    @Test
    void aCountDownAsksForNoLongerLeaseThanOthers() {
        Duration lease = Duration.ofSeconds(3);
        Node c = world.client(
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(lease)));
        onB.trySetCount(3);
        c.client().countDownLatch("l").countDown();
        onA.countDown();
        assertThat(turn(c)).isEqualTo(lease);
        assertThat(turn(a)).isEqualTo(Duration.ofSeconds(5));
    }

    private static Duration turn(Node node) {
        return node.line().sent.stream()
                .filter(request -> request.resource().equals(NameRules.hidden("l", "count")))
                .filter(Request.Enter.class::isInstance)
                .map(request -> Duration.ofNanos(
                        1_000 * ((Request.Enter) request).spec().lease()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCountDownThatCannotBeBegunSaysThatItWasNotMade() {
        onA.trySetCount(3);
        Node c = world.client();
        c.line().line = FaultyStore.Line.UNUSABLE;
        assertThatThrownBy(() -> c.client().countDownLatch("l").countDown()).hasMessageContaining("wrong kind of key");
        c.line().up();
        c.client().close();
        assertThat(onA.getCount()).isEqualTo(3);
    }

    @Test
    void lateCopiesOfWhatWasAskedChangeNothing() {
        onA.trySetCount(3);
        onA.countDown();
        Request.Reweight late = last(Request.Reweight.class);
        onB.countDown();
        world.store.run(late);
        assertThat(onB.getCount()).isEqualTo(1);
        onB.countDown();
        assertThat(world.store.run(last(Request.Enter.class)).state()).isEqualTo(Answer.State.REFUSED);
        assertThat(onB.getCount()).isZero();
    }

    @Test
    void whoWaitsSendsNothingButRenewalsAndLeavesAtOnce() throws Exception {
        onA.trySetCount(1);
        CompletableFuture<Void> waits = onB.awaitAsync();
        CompletableFuture<Void> cancelled = onB.awaitAsync();
        CompletableFuture<Void> onTheOther = onA.awaitAsync();
        world.pass(TestWorld.LEASE.multipliedBy(2));
        assertThat(waits).isNotDone();
        cancelled.cancel(true);
        assertThat(world.claims("l")).hasSize(3);
        onB.countDown();
        assertThat(waits).isCompleted();
        assertThat(onTheOther).isCompleted();
        assertThat(world.claims("l")).isEmpty();
        onA.await();
    }

    @Test
    void whoWaitsInAViewDoesSoOnThatBehalf() {
        onA.trySetCount(1);
        CompletableFuture<Void> waits =
                b.client().onBehalfOf("order 4711").countDownLatch("l").awaitAsync();
        assertThat(world.claims("l"))
                .extracting(claim -> claim.owner().behalf())
                .containsExactly("", "order 4711");
        onA.countDown();
        assertThat(waits).isCompleted();
    }

    /** A claim of whoever polls would be in the way of those who set the count. */
    @Test
    void whoAsksWhetherItIsOpenEntersNothing() throws Exception {
        assertThat(onB.await(Duration.ZERO)).isTrue();
        onA.trySetCount(1);
        assertThat(onB.await(Duration.ZERO)).isFalse();
        assertThat(b.sent(Request.Enter.class)).isZero();
        onA.countDown();
        assertThat(onB.await(Duration.ZERO)).isTrue();
    }

    @Test
    void aNameThatIsInUseIsRefusedAtOnceAndSoIsABadCount() throws Exception {
        for (DistributedLock other :
                List.of(b.lock("l"), b.client().readWriteLock("l").readLock())) {
            Lease lock = other.acquire();
            long asked = a.sent(Request.Enter.class);
            assertThatThrownBy(() -> onA.trySetCount(DistributedCountDownLatch.MAX_COUNT))
                    .isInstanceOf(LockRefusedException.class)
                    .hasMessage("The latch 'l' cannot be set: its name is in use as something else");
            assertThat(a.sent(Request.Enter.class)).isEqualTo(asked + 1);
            lock.release();
        }
        for (int count : new int[] {0, -1, DistributedCountDownLatch.MAX_COUNT + 1}) {
            assertThatThrownBy(() -> onA.trySetCount(count))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 1048576");
        }
    }

    /** It asks again and again, and sleeps in between. */
    @Test
    void anInterruptedThreadThatSetsItAsksNoMoreThanOthers() {
        ClaimId waited = ClaimId.of(99, 1);
        ClaimSpec through = ClaimSpec.of(Resource.WHOLE, DistributedCountDownLatch.MAX_COUNT, 60_000_000);
        world.store.run(Request.Enter.of("l", waited, through, 0, Owner.of("died", "host", 1, "main")));
        int[] asked = new int[1];
        a.line().unusable = request -> request instanceof Request.Enter && ++asked[0] > 1_000;
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> onA.trySetCount(1))
                    .isInstanceOf(LockRefusedException.class)
                    .hasMessageContaining("by somebody who waited for it and has died");
        } finally {
            assertThat(Thread.interrupted()).as("kept for later").isTrue();
        }
        world.store.run(Request.Leave.of("l", waited, false));
    }

    @Test
    void aClosedClientFailsThoseWhoWaitAndLeavesTheCount() {
        onA.trySetCount(1);
        CompletableFuture<Void> waits = onA.awaitAsync();
        a.client().close();
        assertThat(waits).isCompletedExceptionally();
        assertThatThrownBy(onA::countDown).isInstanceOf(ClientClosedException.class);
        assertThat(onB.getCount()).isEqualTo(1);
    }
}
