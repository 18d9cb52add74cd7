package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReentrantDistributedLock;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import io.belay.internal.machine.Askers;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import io.belay.servers.Pace;
import io.belay.spi.Confirmation;
import io.belay.spi.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wall clock is put forward, or the machine sleeps: nobody is stranded, and nobody believes too long. */
class ClockStepTest {
    private static final Duration STEP = Duration.ofSeconds(1);

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    @Test
    void aWaiterIsServedWhoseGateAskedInsideTheAnswerToItsQuestion() {
        Lease first = held(a.lock("x").acquireAsync());
        CompletableFuture<Lease> next = a.lock("x").acquireAsync();
        CompletableFuture<Lease> last = a.lock("x").acquireAsync();
        world.time.suspend(STEP);
        a.line().line = FaultyStore.Line.HELD_BACK;
        first.release(); // the claim is unsure, so the store is asked
        List<Runnable> asked = a.line().takeHeldBack();
        world.time.suspend(STEP); // once more, before the answer: it is to be asked again
        asked.forEach(Runnable::run);
        a.line().up();
        world.pass(Duration.ofSeconds(3));
        held(next).release();
        held(last).release();
    }

    @Test
    void aFixedLeaseIsNotBelievedLongerThanTheStoreKeepsIt() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofMinutes(10));
        Lease lease = held(a.lock("x", fixed).acquireAsync());
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> told.add("x"));
        CompletableFuture<Lease> next = b.lock("x").acquireAsync();
        world.time.suspendAlone(Duration.ofMinutes(5));
        assertThat(lease.isHeld()).as("unsure").isFalse();
        assertThat(lease.isHeld()).as("the store has answered").isTrue();
        assertThat(lease.remaining()).isLessThan(Duration.ofMinutes(5));
        for (int second = 0; second < 300; second++) {
            world.pass(Duration.ofSeconds(1));
            assertThat(lease.isHeld() && next.isDone()).as("two holders").isFalse();
        }
        assertThat(told).containsExactly("x");
        assertThat(held(next).isHeld()).isTrue();
    }

    /** Nothing else is asked of the store for a fixed lease, so somebody has to look at the clocks. */
    @Test
    void theHolderOfAFixedLeaseIsToldThatItEndedInTheSuspensionThoughItNeverAsks() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofMinutes(10));
        List<String> told = new ArrayList<>();
        held(a.lock("x", fixed).acquireAsync()).onLost(loss -> told.add("x"));
        world.time.suspendAlone(Duration.ofMinutes(20));
        world.pass(Duration.ofSeconds(6));
        assertThat(told).containsExactly("x");
    }

    /** Nor is anything asked for a fixed lease when the wall clock, by which a suspension is seen, is put back. */
    @Test
    void aClockThatWasPutBackHidesNoLaterSuspension() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofMinutes(10));
        Lease lease = held(a.lock("x", fixed).acquireAsync());
        world.time.suspend(Duration.ofMinutes(-6));
        world.pass(Duration.ofSeconds(7));
        assertThat(lease.isHeld()).isTrue();
        world.time.suspendAlone(Duration.ofMinutes(5));
        assertThat(lease.isHeld()).as("unsure").isFalse();
        assertThat(lease.remaining()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    }

    /** Services that keep clocks right set them by little, now and then: there may be very many locks. */
    @ParameterizedTest
    @ValueSource(ints = {5, -5, -5_000})
    void aSmallStepOfTheClockAsksNothingAndHidesNoLaterSuspension(int millis) {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofMinutes(10));
        Lease lease = held(a.lock("x", fixed).acquireAsync());
        int sent = a.line().sent.size();
        world.time.suspend(Duration.ofMillis(millis));
        world.pass(Duration.ofSeconds(7));
        assertThat(lease.isHeld()).isTrue();
        assertThat(a.line().sent).hasSize(sent);
        world.time.suspendAlone(Duration.ofSeconds(8)); // by more than 1 % of the lease
        assertThat(lease.isHeld()).as("unsure").isFalse();
        assertThat(lease.isHeld()).isTrue();
    }

    /** A thread may lose its processor in the middle of its look. */
    @Test
    void theEndOfOneAnswerIsNotTakenForSureByTheClocksOfTheNext() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofMinutes(10));
        Lease lease = held(a.lock("x", fixed).acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        world.time.suspendAlone(Duration.ofMinutes(5));
        assertThat(lease.isHeld()).as("unsure").isFalse();
        // The first look at the clock is for the time, the next one for a suspension: then the answer comes.
        world.time.atNextLook = () -> world.time.atNextLook = a.line()::up;
        assertThat(lease.remaining()).isLessThan(Duration.ofMinutes(5));
    }

    /** A program may look again and again until the store is there, which may take as long as its lease. */
    @Test
    void whoeverLooksAtAnUnsureLeaseAsksOnceAndLeavesNothingBehind() {
        Lease lease = held(a.lock("x").acquireAsync());
        world.time.suspend(STEP);
        a.line().line = FaultyStore.Line.SILENT;
        for (int i = 0; i < 1_000; i++) {
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.remaining()).isZero();
        }
        assertThat(a.sent(Request.Renew.class)).isOne();
        assertThat(Askers.of(((Hold) lease).claim())).isEmpty();
    }

    @Test
    void severalLocksAreNotTakenForLostWhileTheClocksLeaveItOpen() throws Exception {
        MultiLock both = MultiLock.of(a.client(), List.of("x", "y"));
        for (int way = 0; way < 3; way++) {
            Lease other = held(b.lock("y").acquireAsync());
            long entered = a.sent(Request.Enter.class);
            world.at(Duration.ofMillis(10), () -> {
                world.time.suspend(STEP);
                a.line().unanswered = Request.Renew.class::isInstance;
                other.releaseAsync();
            });
            world.at(Duration.ofMillis(500), () -> a.line().unanswered = request -> false);
            MultiLease had = switch (way) {
                case 0 -> both.acquire();
                case 1 -> both.tryAcquire(Duration.ofSeconds(9)).orElseThrow();
                default -> together(both.acquireAsync());
            };
            assertThat(a.sent(Request.Enter.class) - entered).as("each once").isEqualTo(2);
            had.release();
        }
    }

    /** Lets time pass until it is there; whoever asks the store for it does so in a thread of its own. */
    private <T> T together(CompletableFuture<T> had) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Pace.seconds());
        while (!had.isDone() && System.nanoTime() < end) {
            world.pass(Duration.ofMillis(10));
            Thread.onSpinWait();
        }
        return had.get(0, TimeUnit.SECONDS);
    }

    @Test
    void whoEndsAnAsynchronousBodyDoesNotWaitWhileTheClocksLeaveItOpen() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = a.lock("x").callAsync(() -> work);
        world.pass(STEP);
        world.time.suspend(STEP);
        a.line().line = FaultyStore.Line.HELD_BACK;
        long now = world.time.nanos();
        work.complete("done");
        assertThat(world.time.nanos()).isEqualTo(now);
        assertThat(result).isNotDone();
        assertThat(world.claims("x")).hasSize(1);
        a.line().up();
        assertThat(together(result)).isEqualTo("done");
    }

    @Test
    void aRenewalThatTooFewReplicasHaveMakesNothingSure() {
        a.line().confirmation = Confirmation.of(1, 1);
        Lease lease = held(a.lock("x").acquireAsync());
        world.pass(Duration.ofSeconds(15));
        a.line().confirmation = Confirmation.of(0, 1);
        world.time.suspendAlone(Duration.ofSeconds(5));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isHeld())
                .as("answered, but by a master that may have been replaced")
                .isFalse();
        a.line().confirmation = Confirmation.of(1, 1);
        world.pass(Duration.ofSeconds(1));
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aReentrantLockIsNotTakenForLostWhileTheClocksLeaveItOpen() {
        ReentrantDistributedLock lock = a.client().reentrantLock("x");
        lock.lock();
        world.pass(Duration.ofSeconds(1));
        world.time.suspend(Duration.ofMillis(400));
        lock.lock();
        world.time.suspend(Duration.ofMillis(400));
        lock.unlock();
        world.time.suspend(Duration.ofMillis(400));
        lock.lease().ensureHeld();
        lock.unlock();
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aReadInsideAWriteIsNotRefusedWhileTheClocksLeaveItOpen() {
        var lock = a.client().reentrantReadWriteLock("x");
        lock.writeLock().lock();
        world.pass(Duration.ofSeconds(1));
        world.time.suspend(Duration.ofMillis(400));
        lock.readLock().lock();
        world.time.suspend(Duration.ofMillis(400));
        lock.readLock().unlock();
        lock.writeLock().unlock();
        assertThat(world.claims("x")).isEmpty();
    }
}
