package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayListener;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.DistributedCountDownLatch;
import io.belay.DistributedReadWriteLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.OwnHold;
import io.belay.ReentrantDistributedLock;
import io.belay.ReleaseOutcome;
import io.belay.internal.TestWorld.Node;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What a client's end means for those who hold, and for those who wait. */
class ClosingTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    @Test
    void whatCloseTakesAwayIsLostAndToldBeforeOthersHaveIt() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<String> events = new ArrayList<>();
        lease.onLost(loss -> events.add("lost: " + loss.getMessage()));
        b.lock("x").acquireAsync().thenRun(() -> events.add("b has it"));
        a.client().close();
        assertThat(events).hasSize(2);
        assertThat(events.get(0)).contains("'x'", "its client was closed");
        assertThat(events.get(1)).isEqualTo("b has it");
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    @Test
    void aSharedLeaseIsLostByItToo() {
        Lease one = held(a.client().readWriteLock("x").readLock().acquireAsync());
        Lease two = held(a.client().readWriteLock("x").readLock().acquireAsync());
        List<String> told = new ArrayList<>();
        one.onLost(loss -> told.add("one"));
        two.onLost(loss -> told.add("two"));
        a.client().close();
        assertThat(told).containsExactly("one", "two");
        assertThat(one.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    @Test
    void aThreadIsToldAtItsUnlock() {
        ReentrantDistributedLock lock = a.client().reentrantLock("x");
        lock.lock();
        a.client().close();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** The writer that it waits for is one of its own client, whose lock close() gives back. */
    @Test
    void aReaderThatWaitsIsNotLetInByClose() {
        for (int i = 0; i < 20; i++) { // in whatever order the gates are closed
            Node node = world.client();
            DistributedReadWriteLock lock = node.client().readWriteLock("x" + i);
            held(lock.writeLock().acquireAsync());
            CompletableFuture<Lease> reader = lock.readLock().acquireAsync();
            node.client().close();
            assertThatThrownBy(reader::join).hasCauseInstanceOf(ClientClosedException.class);
        }
    }

    /** It is then that somebody wants to know who keeps the drain. */
    @Test
    void aHoldThatIsLongIsToldWhileHoldersAreWaitedFor() {
        List<OwnHold> told = new ArrayList<>();
        BelayListener listener = new BelayListener() {
            @Override
            public void longHold(OwnHold hold) {
                told.add(hold);
            }
        };
        Node node = world.client(BelayOptions.defaults().withListener(listener).withLongHold(Duration.ofSeconds(30)));
        Lease lease = held(node.lock("x").acquireAsync());
        world.pass(Duration.ofSeconds(10));
        node.client().close(Duration.ofMinutes(1));
        assertThat(told)
                .singleElement()
                .satisfies(hold -> assertThat(hold.token()).isEqualTo(lease.token()));
        assertThat(node.engine().timers.size()).isZero();
    }

    /** The client ends while it asks who has taken the lock away. */
    @Test
    void aLossIsToldThoughTheStoreDoesNotSayByWhom() {
        List<LeaseLostException> told = new ArrayList<>();
        held(a.lock("x").acquireAsync()).onLost(told::add);
        a.line().line = FaultyStore.Line.SILENT;
        b.client().admin().forceRelease("x");
        assertThat(told).isEmpty();
        a.client().close();
        assertThat(told).hasSize(1);
    }

    /** As where no memory is left to ask by whom. */
    @Test
    void aLossIsToldThoughItCannotBeAskedByWhom() {
        List<LeaseLostException> told = new ArrayList<>();
        held(a.lock("x").acquireAsync()).onLost(told::add);
        world.failIn("Evictions.by", 0);
        b.client().admin().forceRelease("x");
        world.pass(Duration.ofSeconds(1));
        assertThat(told).hasSize(1);
    }

    /** The same, and the driver cannot be closed. */
    @Test
    void aDriverThatThrowsWhenItIsClosedKeepsNoLossFromBeingTold() {
        List<LeaseLostException> told = new ArrayList<>();
        held(a.lock("x").acquireAsync()).onLost(told::add);
        a.line().line = FaultyStore.Line.SILENT;
        b.client().admin().forceRelease("x");
        a.line().thrownAtClose = new IllegalStateException("thrown by the test");
        a.client().close();
        assertThat(told).hasSize(1);
    }

    /** Two gates take two steps each before their claims are given up. */
    @Test
    void anErrorInAnyStepKeepsNothingElseFromItsEnd() {
        for (int i = 0; i < 4; i++) {
            Node node = world.client();
            List<LeaseLostException> told = new ArrayList<>();
            held(node.lock("x" + i).acquireAsync()).onLost(told::add);
            held(node.lock("y" + i).acquireAsync()).onLost(told::add);
            node.line().line = FaultyStore.Line.SILENT;
            world.failIn("Gate.begin", i);
            node.client().close();
            assertThat(world.time.atNextLook).isNull();
            assertThat(told).as("after %d steps", i).hasSize(2);
            assertThat(node.size()).isZero();
            assertThat(node.line().wasClosed).isTrue();
        }
    }

    @Test
    void anErrorBetweenTheStepsEndsTheConnectionAndWhoWaitsAllTheSame() {
        Lease lease = held(a.lock("x").acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        CompletableFuture<ReleaseOutcome> released = lease.releaseAsync();
        world.failIn("Life.awaitEnd", 0);
        a.client().close();
        assertThat(world.time.atNextLook).isNull();
        assertThat(a.line().wasClosed).isTrue();
        assertThat(released).isCompletedWithValue(ReleaseOutcome.UNKNOWN);
    }

    @Test
    void whatOnlyLeavesIsNotWaitedForLongerThanARequest() {
        held(b.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = a.lock("x").acquireAsync();
        a.line().line = FaultyStore.Line.SILENT;
        long begin = world.time.nanos();
        a.client().close(Duration.ofSeconds(20));
        assertThat(Duration.ofNanos(world.time.nanos() - begin)).isLessThanOrEqualTo(Duration.ofMillis(2_100));
        assertThat(waiting).isCompletedExceptionally();
    }

    @Test
    void everyWaitEndsWithClosed() {
        LockOptions strict = LockOptions.defaults().withStrictOrder(true);
        held(b.lock("x").acquireAsync());
        List<CompletableFuture<Lease>> waits = List.of(
                a.lock("x").acquireAsync(),
                a.lock("x", strict).acquireAsync(),
                a.client().readWriteLock("x").readLock().acquireAsync());
        a.client().close();
        assertThat(waits)
                .allSatisfy(wait -> assertThatThrownBy(wait::join)
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(ClientClosedException.class));
        assertThatThrownBy(() -> a.lock("x").acquireUninterruptibly()).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> a.lock("x", strict).acquireUninterruptibly())
                .isInstanceOf(ClientClosedException.class);
        assertThat(a.size()).isZero();
        assertThat(a.engine().timers.size()).isZero();
    }

    /** The client closes between the look whether it is open and the claim's being known to it. */
    @Test
    void anAcquisitionWithAGateOfItsOwnThatRacesWithCloseEnds() throws Exception {
        LockOptions strict = LockOptions.defaults().withStrictOrder(true);
        Thread closer = new Thread(() -> a.client().close());
        world.time.atNextLook = () -> {
            closer.start();
            while (!a.engine().isDown()) {
                Thread.onSpinWait();
            }
            a.line().line = FaultyStore.Line.SILENT; // nobody answers a client that is closed
        };
        CompletableFuture<Lease> raced = a.lock("x", strict).acquireAsync();
        while (closer.isAlive()) {
            world.pass(Duration.ofMillis(1));
        }
        assertThat(raced).isCompletedExceptionally();
        assertThatThrownBy(raced::join).hasCauseInstanceOf(ClientClosedException.class);
    }

    /** A request that races with the close fails as its connection is closed. */
    @Test
    void whatFailsSinceTheClientIsClosedIsNoOutageOfTheStore() {
        a.client().close();
        a.engine().noteFailure(StoreException.unreachable("the client was closed", null), true);
        assertThat(a.client().admin().statistics().outages()).isZero();
    }

    @Test
    void aDrainWaitsForHoldersAndLetsNobodyElseIn() {
        ReentrantDistributedLock holds = a.client().reentrantLock("x");
        holds.lock();
        CompletableFuture<Lease> waits = a.lock("x").acquireAsync();
        List<String> told = new ArrayList<>();
        holds.lease().onLost(loss -> told.add("lost"));
        world.at(Duration.ofSeconds(40), () -> {
            assertThatThrownBy(waits::join).hasCauseInstanceOf(ClientClosedException.class);
            assertThatThrownBy(() -> a.lock("y").acquireUninterruptibly()).isInstanceOf(ClientClosedException.class);
            holds.lock(); // what this thread holds it may lock again
            holds.unlock();
            holds.unlock();
        });
        long begin = world.time.nanos();
        a.client().close(Duration.ofMinutes(10));
        assertThat(Duration.ofNanos(world.time.nanos() - begin))
                .isBetween(Duration.ofSeconds(40), Duration.ofSeconds(41));
        assertThat(told).isEmpty();
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aDrainEndsAtItsTimeAndTakesAwayWhatIsHeldStill() {
        Lease lease = held(a.lock("x").acquireAsync());
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> told.add("lost"));
        a.client().close(Duration.ofSeconds(3));
        assertThat(told).containsExactly("lost");
        assertThat(world.claims("x")).isEmpty();
    }

    /** As where an executor that ends its threads at once has one of them close the client. */
    @Test
    void anInterruptedThreadWaitsForNoHoldersButForTheStore() {
        held(a.lock("x").acquireAsync());
        a.line().delay = request -> world.at(Duration.ofMillis(500), request);
        long begin = world.time.nanos();
        Thread.currentThread().interrupt();
        a.client().close(Duration.ofMinutes(10));
        assertThat(Thread.interrupted()).as("kept for later").isTrue();
        assertThat(world.claims("x")).isEmpty();
        assertThat(world.time.nanos() - begin).isLessThan(1_000_000_000);
    }

    @Test
    void whoEndsItsWorkWhileTheClientDrainsCountsALatchDown() {
        DistributedCountDownLatch latch = a.client().countDownLatch("latch");
        assertThat(latch.trySetCount(2)).isTrue();
        Lease holds = held(a.lock("x").acquireAsync());
        List<Long> left = new ArrayList<>();
        world.at(Duration.ofSeconds(40), () -> {
            left.add(latch.countDown());
            holds.release();
        });
        a.client().close(Duration.ofMinutes(10));
        assertThat(left).containsExactly(1L);
        assertThat(b.client().countDownLatch("latch").getCount()).isEqualTo(1);
        assertThatThrownBy(latch::countDown).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void aStickyLockIsNotKeptThroughADrain() {
        held(a.lock("x", LockOptions.defaults().withSticky(Duration.ofHours(1))).acquireAsync())
                .release();
        long begin = world.time.nanos();
        a.client().close(Duration.ofMinutes(10));
        assertThat(world.time.nanos() - begin).isLessThan(1_000_000_000);
        assertThat(world.claims("x")).isEmpty();
    }
}
