package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import io.belay.spi.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Grants whose lease is over before they are here: nobody waits for longer than it wants, nor asks at full speed. */
class LateGrantTest {
    private static final Duration LEASE = Duration.ofMillis(10);
    /** Longer than the lease. */
    private static final Duration WAY = Duration.ofMillis(20);

    private static final Duration STEP = Duration.ofMillis(10);

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();

    @AfterEach
    void nothingIsLeft() {
        a.line().delay = null;
        world.pass(Duration.ofSeconds(30));
        assertThat(world.claims("x")).isEmpty();
        assertThat(a.size()).isZero();
        a.client().close();
        assertThat(a.engine().timers.size()).isZero();
    }

    /** Has each request take so long. */
    private void away(Duration way) {
        a.line().delay = arrives -> world.at(way, arrives);
    }

    private DistributedLock lock() {
        return a.lock("x", LockOptions.defaults().withFixedLease(LEASE));
    }

    /** Lets time pass until the future is done, at most so long; returns how much. */
    private Duration pass(Duration longest, CompletableFuture<?> until) {
        Duration passed = Duration.ZERO;
        while (!until.isDone() && passed.compareTo(longest) < 0) {
            world.pass(STEP);
            passed = passed.plus(STEP);
        }
        return passed;
    }

    private void endsWithin(Duration longest, CompletableFuture<?> attempt) {
        assertThat(pass(Duration.ofSeconds(30), attempt)).isLessThanOrEqualTo(longest);
        assertThatThrownBy(attempt::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("The lock 'x' was granted, but its lease of 10 ms was over")
                .hasMessageContaining("took 20 ms");
    }

    @Test
    void aTimedWaitEndsInItsTime() {
        away(WAY);
        endsWithin(Duration.ofMillis(1_250), lock().tryAcquireAsync(Duration.ofSeconds(1)));
        assertThat(a.sent(Request.Enter.class)).isBetween(5L, 8L);
    }

    @Test
    void aTryEndsAtItsFirstAnswer() {
        away(WAY);
        endsWithin(Duration.ofMillis(400), lock().tryAcquireAsync(Duration.ZERO));
        assertThat(a.sent(Request.Enter.class)).isBetween(1L, 5L);
    }

    @Test
    void ifTheWayIsLongerThanTheLeaseTenTimesNobodyWaitsOn() {
        away(WAY);
        CompletableFuture<Lease> acquired = lock().acquireAsync();
        pass(Duration.ofSeconds(30), acquired);
        assertThatThrownBy(acquired::join)
                .hasCauseInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("Take a longer lease");
        assertThat(a.sent(Request.Enter.class)).isEqualTo(10);
    }

    /** Each answer comes later than a request may take: something stands still, and is waited for. */
    @Test
    void aStoreThatStandsStillIsWaitedFor() {
        away(Duration.ofSeconds(12));
        CompletableFuture<Lease> acquired = lock().acquireAsync();
        pass(Duration.ofMinutes(5), acquired);
        assertThat(acquired).isNotDone();
        assertThat(a.sent(Request.Enter.class)).isGreaterThan(20);
        a.line().delay = null;
        world.pass(Duration.ofSeconds(2));
        assertThat(acquired).isCompleted();
        ((Hold) acquired.join()).discard();
    }

    /** Grants came too late; then another has the lock, and the store says so in time: nothing of the store is wrong any more. */
    @Test
    void whoTheStoreHasQueuedSinceEndsEmptyHanded() {
        away(WAY);
        CompletableFuture<Optional<Lease>> attempt = lock().tryAcquireAsync(Duration.ofSeconds(1));
        world.pass(WAY.plus(STEP));
        assertThat(a.sent(Request.Enter.class)).isPositive();
        a.line().delay = null;
        Lease others = held(world.client().lock("x").acquireAsync());
        pass(Duration.ofSeconds(30), attempt);
        assertThat(attempt).isCompletedWithValue(Optional.empty());
        others.release();
    }

    /** Between two attempts the wait has no claim, by which others are told of the end. */
    @Test
    void whoPausesIsToldThatTheClientIsClosed() {
        away(WAY);
        CompletableFuture<Lease> acquired = lock().acquireAsync();
        world.pass(WAY.plus(STEP));
        a.line().delay = null;
        a.client().close();
        assertThat(acquired).isCompletedExceptionally();
        assertThatThrownBy(acquired::join).hasCauseInstanceOf(ClientClosedException.class);
    }

    /** While it was, the store has ended what it granted. */
    @Test
    void whatAMachineIsGrantedThatWasSuspendedMeanwhileIsOver() {
        a.line().line = FaultyStore.Line.ANSWERS_HELD_BACK;
        CompletableFuture<Lease> acquired = a.lock("x").acquireAsync();
        world.time.suspendAlone(Duration.ofMinutes(1));
        a.line().up();
        world.pass(Duration.ofSeconds(1));
        assertThat(a.sent(Request.Enter.class)).as("it is asked for again").isEqualTo(2);
        assertThat(held(acquired).isHeld()).isTrue();
        ((Hold) acquired.join()).discard();
    }

    @Test
    void anOrdinaryLeaseIsNoOtherCase() {
        away(Duration.ofMillis(150));
        CompletableFuture<?> attempt = a.lock("x", LockOptions.defaults().withLease(Duration.ofMillis(100)))
                .tryAcquireAsync(Duration.ofSeconds(1));
        assertThat(pass(Duration.ofSeconds(30), attempt)).isLessThanOrEqualTo(Duration.ofMillis(1_350));
        assertThatThrownBy(attempt::join).hasMessageContaining("its lease of 100 ms was over");
    }
}
