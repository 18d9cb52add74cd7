package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import io.belay.internal.primitive.Lock;
import io.belay.recipes.StripedLock;
import io.belay.servers.Pace;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Whoever is told that a wait is over has left the queue, and order is what was promised. */
class LeavingTheQueueTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    @Test
    void whoIsInterruptedHasLeftWhenTheExceptionComes() {
        held(a.lock("x").acquireAsync());
        world.at(Duration.ofMillis(30), () -> b.line().up());
        world.at(Duration.ofMillis(10), () -> {
            b.line().line = FaultyStore.Line.HELD_BACK;
            Thread.currentThread().interrupt();
        });
        assertThatThrownBy(() -> b.lock("x").acquire()).isInstanceOf(InterruptedException.class);
        assertThat(world.claims("x")).hasSize(1);
        assertThat(b.size()).isZero();
    }

    @Test
    void anInterruptIsNotKeptWaitingByASilentStore() {
        held(a.lock("x").acquireAsync());
        long begin = world.time.nanos();
        world.at(Duration.ofMillis(10), () -> {
            b.line().line = FaultyStore.Line.SILENT;
            Thread.currentThread().interrupt();
        });
        assertThatThrownBy(() -> b.lock("x").acquire()).isInstanceOf(InterruptedException.class);
        assertThat(Duration.ofNanos(world.time.nanos() - begin)).isLessThan(Duration.ofMillis(220));
        b.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(world.claims("x")).hasSize(1);
    }

    /** A wait that has the lock just after its thread took notice of an interrupt. */
    private static final class Overtaken extends Hold {
        private final Hold before;
        private boolean comes;

        Overtaken(Hold before) {
            super(before.gate, before.asks, false, null);
            this.before = before;
        }

        @Override
        public boolean isPending() {
            boolean asksAgain = StackWalker.getInstance()
                    .walk(frames -> frames.skip(1).findFirst().orElseThrow())
                    .getMethodName()
                    .equals("await");
            if (comes && asksAgain && !Thread.currentThread().isInterrupted()) {
                comes = false;
                before.release();
            }
            return super.isPending();
        }
    }

    @Test
    void anInterruptThatTheLockOvertakesIsThrownOrKept() {
        LockOptions inTurn = LockOptions.defaults().withBarging(false);
        Overtaken waits = new Overtaken((Hold) held(a.lock("x", inTurn).acquireAsync()));
        waits.gate.enter(waits, Long.MAX_VALUE);
        world.at(Duration.ofMillis(10), () -> {
            waits.comes = true;
            Thread.currentThread().interrupt();
        });
        boolean thrown = false;
        try {
            assertThat(waits.await()).isTrue();
        } catch (InterruptedException e) {
            thrown = true;
        }
        assertThat(Thread.interrupted()).isNotEqualTo(thrown);
    }

    @Test
    void whoseTimeIsOverHasLeftWhenToldSo() throws Exception {
        held(a.lock("x").acquireAsync());
        world.at(Duration.ofMillis(999), () -> b.line().line = FaultyStore.Line.HELD_BACK);
        world.at(Duration.ofMillis(1_050), () -> b.line().up());
        assertThat(b.lock("x").tryAcquire(Duration.ofSeconds(1))).isEmpty();
        assertThat(world.claims("x")).hasSize(1);
        assertThat(b.size()).isZero();
    }

    @Test
    void aTimeOutIsNotKeptWaitingByASilentStore() {
        held(a.lock("x").acquireAsync());
        CompletableFuture<Optional<Lease>> waiting = b.lock("x").tryAcquireAsync(Duration.ofSeconds(1));
        world.pass(Duration.ofMillis(999));
        b.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofMillis(202));
        assertThat(waiting).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aFutureThatIsCancelledIsNotKeptWaitingByASilentStore() {
        held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        b.line().line = FaultyStore.Line.SILENT;
        long begin = world.time.nanos();
        assertThat(waiting.cancel(true)).isTrue();
        assertThat(world.time.nanos()).isEqualTo(begin);
        b.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(world.claims("x"))
                .as("the claim leaves as soon as the store answers")
                .hasSize(1);
    }

    /** Else it is nobody's, and renewed for as long as the client is open. */
    @Test
    void aSegmentThatComesAfterTheCancelIsGivenBack() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<StripedLock.Segment> any =
                StripedLock.of(a.client(), "x", 1).acquireAnyAsync();
        assertThat(any.cancel(true)).isTrue();
        a.line().up();
        world.pass(Duration.ofSeconds(1));
        assertThat(world.claims("x#0")).isEmpty();
        assertThat(a.size()).isZero();
    }

    @Test
    void whoCancelsItsWaitForAnySegmentHasLeft() {
        held(b.lock("x#0").acquireAsync());
        held(b.lock("x#1").acquireAsync());
        CompletableFuture<StripedLock.Segment> any =
                StripedLock.of(a.client(), "x", 2).acquireAnyAsync();
        assertThat(world.claims("x#0").size() + world.claims("x#1").size()).isEqualTo(3);
        assertThat(any.cancel(true)).isTrue();
        world.pass(Duration.ofSeconds(1));
        assertThat(world.claims("x#0").size() + world.claims("x#1").size()).isEqualTo(2);
        assertThat(a.size()).isZero();
    }

    @Test
    void whoseTimeIsOverIsToldWithTheAnswer() {
        held(a.lock("x").acquireAsync());
        b.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Optional<Lease>> waiting = b.lock("x").tryAcquireAsync(Duration.ofMillis(50));
        CompletableFuture<Optional<Lease>> reader =
                b.client().readWriteLock("x").readLock().tryAcquireAsync(Duration.ofMillis(50));
        world.pass(Duration.ofMillis(60));
        assertThat(waiting).isNotDone();
        assertThat(reader).isNotDone();
        b.line().up();
        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(reader).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aTryForNoTimeWaitsNoLongerForASilentStoreThanItSays() {
        held(a.lock("y").acquireAsync()).release(); // else it is the connection's first answer that is waited for
        a.line().line = FaultyStore.Line.SILENT;
        long begin = world.time.nanos();
        assertThatThrownBy(() -> a.lock("x").tryAcquire(Duration.ZERO)).isInstanceOf(StoreUnavailableException.class);
        assertThat(Duration.ofNanos(world.time.nanos() - begin)).isLessThan(Duration.ofMillis(210));
    }

    /** The lock was given back but its lease is nearly over, so it is renewed first, and somebody comes meanwhile. */
    @Test
    void withoutBargingANewcomerIsServedAfterThoseWhoWait() {
        Lock lock = a.lock("x", LockOptions.defaults().withBarging(false));
        List<String> served = new CopyOnWriteArrayList<>();
        Lease first = held(lock.acquireAsync());
        Thread asleep = new Thread(() -> {
            Lease had = lock.acquireUninterruptibly();
            served.add("waiter");
            had.release();
        });
        asleep.setDaemon(true);
        asleep.start();
        while (a.client().admin().inspect("x").claims().get(0).localWaiters() == 0) {
            Thread.onSpinWait();
        }
        a.line().line = FaultyStore.Line.HELD_BACK;
        world.time.suspend(Duration.ofSeconds(1)); // the claim is unsure
        ((Hold) first).discard();
        lock.acquireAsync().thenAccept(lease -> {
            served.add("newcomer");
            ((Hold) lease).discard();
        });
        a.line().up();
        long begin = System.nanoTime();
        while (served.size() < 2 && System.nanoTime() - begin < Pace.patience().toNanos()) {
            world.pass(Duration.ofMillis(1));
            LockSupport.parkNanos(100_000); // the thread that waits needs the processor, too
        }
        assertThat(served).containsExactly("waiter", "newcomer");
    }
}
