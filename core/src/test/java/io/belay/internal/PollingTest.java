package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LossReason;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.machine.Machine;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where no push comes through, those who wait find out by asking, as often as they were told to. */
class PollingTest {
    private static final LockOptions FIXED = LockOptions.defaults().withFixedLease(Duration.ofSeconds(60));

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();

    private Node polling(int millis, double jitter) {
        return world.client(BelayOptions.defaults().withPolling(Duration.ofMillis(millis), jitter));
    }

    /** Waits behind a for that time, then a releases; returns the waiter. */
    private CompletableFuture<Lease> waitBehindA(Node node, Duration time) throws InterruptedException {
        Lease lease = a.lock("x").acquire();
        CompletableFuture<Lease> waiting = node.lock("x").acquireAsync();
        world.pass(time);
        lease.release();
        return waiting;
    }

    @Test
    void aGrantWhosePushIsLostIsFoundWithinTheInterval() throws Exception {
        Node b = polling(100, 0.2);
        b.line().pushesLost = true;
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Lease> waiting = waitBehindA(b, Duration.ofMillis(37 * i));
            assertThat(waiting).isNotDone();
            world.pass(Duration.ofMillis(121));
            held(waiting).release();
        }
    }

    @Test
    void itAsksAsOftenAsItWasToldToMoreOrLess() throws Exception {
        Node b = polling(100, 0.2);
        Node same = polling(100, 0);
        b.line().pushesLost = true;
        CompletableFuture<Lease> another = same.lock("x").acquireAsync();
        held(another);
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        int before = b.line().sent.size();
        world.pass(Duration.ofSeconds(20));
        assertThat(b.line().sent.size() - before).isBetween(167, 250);
        another.join().release();
        world.pass(Duration.ofMillis(121));
        held(waiting).release();
        CompletableFuture<Lease> next = waitBehindA(same, Duration.ofSeconds(10));
        assertThat(held(next).release()).isNotNull();
        assertThat(same.line().sent.size()).isBetween(100, 110);
    }

    /** Nobody renews a fixed lease, so that its holder would hear of it at the end only. */
    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT1H"})
    void aHolderWithAFixedLeaseFindsOutThatItsLockWasTakenAway(Duration atLeast) {
        Node b = polling(100, 0);
        b.line().pushesLost = true;
        List<LeaseLostException> told = new ArrayList<>();
        held(b.lock("x", FIXED.withAtLeast(atLeast)).acquireAsync()).onLost(told::add);
        a.client().onBehalfOf("the operator").admin().forceRelease("x");
        world.pass(Duration.ofSeconds(19));
        assertThat(told).isEmpty();
        world.pass(Duration.ofSeconds(2));
        assertThat(told).singleElement().satisfies(loss -> {
            assertThat(loss.reason()).contains(LossReason.FORCED);
            assertThat(loss).hasMessageContaining("the operator");
        });
    }

    @Test
    void itAlsoDoesOnceItIsKnownThatPushesAreLost() throws Exception {
        Node b = world.client();
        b.line().pushesLost = true;
        Lease fixed = held(b.lock("y", FIXED).acquireAsync());
        a.client().admin().forceRelease("y");
        CompletableFuture<Lease> waiting = waitBehindA(b, Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(3)); // it learns by asking what it was not told
        held(waiting).release();
        assertThat(fixed.isHeld()).isTrue();
        world.pass(Duration.ofSeconds(17));
        assertThat(fixed.isHeld()).isFalse();
    }

    /** No grant lapses then: each is to be picked up within two seconds. */
    @Test
    void whoHasMissedAPushAsksThreeTimesInTwoSeconds() throws Exception {
        Node b = world.client();
        b.line().pushesLost = true;
        CompletableFuture<Lease> missed = waitBehindA(b, Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(3)); // it learns by asking what it was not told
        held(missed).release();
        Lease lease = a.lock("x").acquire();
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        int before = b.line().sent.size();
        world.pass(Duration.ofSeconds(20));
        assertThat(b.line().sent.size() - before).isBetween(29, 31);
        lease.release();
        world.pass(Duration.ofMillis(670));
        held(waiting).release();
    }

    @Test
    void aHolderWithAFixedLeaseAsksNothingWhilePushesArrive() {
        Node b = world.client();
        held(b.lock("x", FIXED).acquireAsync());
        int before = b.line().sent.size();
        world.pass(Duration.ofSeconds(50));
        assertThat(b.line().sent).hasSize(before);
    }

    /** As where those of one server of a cluster are lost, and those of others come. */
    @Test
    void whatIsHeldIsGoneThroughOnceASecondAtMostHoweverManyPushesAreLost() {
        Node b = world.client();
        held(b.lock("x", FIXED).acquireAsync());
        AtomicInteger looks = new AtomicInteger();
        world.countLooksIn("Engine.stepAll", looks);
        for (int i = 0; i < 200; i++) {
            b.engine().missedAPush();
            b.engine().pushed(Push.of("y", ClaimId.of(2, 4711), 1, false, world.time.micros(), 0));
            world.pass(Duration.ofMillis(10));
        }
        assertThat(looks.get()).isBetween(1, 3);
    }

    @Test
    void aPushThatComesIsUsed() throws Exception {
        Node b = polling(1000, 0);
        held(waitBehindA(b, Duration.ofMillis(500))).release();
    }

    @Test
    void noGrantLapsesAtTheLongestInterval() throws Exception {
        Node b = polling(500, 1);
        b.line().pushesLost = true;
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Lease> waiting = waitBehindA(b, Duration.ofMillis(91 * i));
            long sequence = world.claims("x").get(0).sequence();
            world.pass(Duration.ofMillis(1001));
            assertThat(held(waiting).token()).isEqualTo(Machine.firstToken(sequence));
            waiting.join().release();
        }
    }

    @ParameterizedTest
    @CsvSource({"PT1.001S,0,PT1S", "PT0.9S,0.2,PT1S", "PT0.0005S,0,PT0.001S", "PT0.1S,-0.1,jitter", "PT0.1S,NaN,jitter"
    })
    void whatWouldLoseGrantsIsRefused(Duration interval, double jitter, String named) {
        assertThatThrownBy(() -> BelayOptions.defaults().withPolling(interval, jitter))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("polling")
                .hasMessageContaining(named);
    }
}
