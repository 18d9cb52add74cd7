package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.spi.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Failures that the search over the whole protocol showed, or that came up while it was written, each on the code that had them. */
class FoundBySearchTest {
    @Test
    void aYieldThatIsLostIsSentAgainThoughAnEarlierRenewalIsAnsweredAfterIt() {
        TestWorld world = new TestWorld();
        TestWorld.Node a = world.client();
        Lease first = a.lock("x").acquireAsync().join();
        CompletableFuture<Lease> other = world.client().lock("x").acquireAsync();
        CompletableFuture<Lease> own = a.lock("x").acquireAsync();
        a.line().line = FaultyStore.Line.HELD_BACK;
        world.pass(Duration.ofSeconds(10)); // the renewal is on its way
        a.line().line = FaultyStore.Line.SILENT;
        first.release(); // the yield is lost
        a.line().up();
        assertThat(other).isNotDone();
        world.pass(Duration.ofSeconds(2));
        assertThat(other).isCompletedWithValueMatching(Lease::isHeld);
        other.join().release();
        assertThat(own).isCompletedWithValueMatching(Lease::isHeld);
    }

    @Test
    void aTryThatFoundTheLockBusyIsOverAndLeavesNoTombstone() {
        TestWorld world = new TestWorld();
        world.client().lock("x").acquireAsync().join();
        TestWorld.Node b = world.client();
        assertThat(b.lock("x").tryAcquireAsync()).isCompletedWithValue(Optional.empty());
        assertThat(b.sent(Request.Enter.class)).isOne();
        assertThat(b.sent(Request.Leave.class)).isZero();
        assertThat(world.store.inspect("x").resource().orElseThrow().tombstones())
                .isEmpty();
    }

    /** Its claim was taken by force before its answer came, and another one has had the lock since. */
    @Test
    void aGrantIsNotHandedOutThatAPushHasToldToBeOver() {
        TestWorld world = new TestWorld();
        TestWorld.Node a = world.client();
        TestWorld.Node b = world.client();
        a.line().line = FaultyStore.Line.ANSWERS_HELD_BACK;
        CompletableFuture<Lease> late = a.lock("x").acquireAsync();
        b.client().admin().forceRelease("x");
        Lease between = TestWorld.held(b.lock("x").acquireAsync());
        between.release();
        a.line().up();
        assertThat(TestWorld.held(late).token()).isGreaterThan(between.token());
        assertThat(a.sent(Request.Enter.class)).isEqualTo(2);
    }
}
