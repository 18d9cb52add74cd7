package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.Belief.Phase;
import io.belay.internal.claim.ProtocolSearch;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Failures that {@link ProtocolSearch} showed, or that came up while it was written, each on the code that had them. */
class FoundBySearchTest {
    private static final long SECOND = 1_000_000_000;

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

    /** An enter was sent again after its first claim had expired, so the claim had two sequences, one after the other. */
    @Test
    void aGrantOfTheSecondOfTwoEntersIsNotMissedWhenItsPushComesFirst() {
        ClaimId id = new ClaimId(1, 1);
        Belief belief = Belief.entering(id, LOCK, 0)
                .enteringAgain()
                .answered(waiting(0, 2), 0, 0, 3 * SECOND)
                .pushed(granted(id, 3_000_000), 3 * SECOND)
                .answered(waiting(3_000_000, 3_000_000), 3 * SECOND, 0, 3 * SECOND);
        assertThat(belief.phase()).isEqualTo(Phase.HELD);
        assertThat(belief.sequence()).isEqualTo(3_000_000);
    }

    @Test
    void aGrantOfTheSecondOfTwoEntersIsNotMissedWhenAllComesInTheWrongOrder() {
        ClaimId id = new ClaimId(1, 1);
        Belief belief = Belief.entering(id, LOCK, 0)
                .enteringAgain()
                .pushed(granted(id, 3_000_000), 3 * SECOND)
                .pushed(granted(id, 2), 3 * SECOND)
                .answered(waiting(0, 2), 0, 0, 3 * SECOND)
                .answered(waiting(3_000_000, 3_000_000), 3 * SECOND, 0, 3 * SECOND);
        assertThat(belief.phase()).isEqualTo(Phase.HELD);
        assertThat(belief.sequence()).isEqualTo(3_000_000);
    }

    /** A renewal that nobody heard the answer of came after the jump, so the deadline it set is an hour away. */
    @Test
    void aPushAfterTheStoresClockWasPutAheadIsAHintOnly() {
        ClaimId id = new ClaimId(1, 1);
        long ahead = 3_600_000_000L;
        Belief belief = Belief.entering(id, LOCK, 0)
                .answered(waiting(0, 2), 0, 0, 0)
                .pushed(Push.granted("x", id, 2, ahead, ahead + 2_000_000), SECOND);
        assertThat(belief.phase()).isEqualTo(Phase.WAITING);
        assertThat(belief.askAt()).isEqualTo(SECOND);
    }

    /** The store's clock was put back by an hour, and the deadline that it keeps was not. */
    @Test
    void noLeaseIsLongerThanWasAskedFor() {
        Answer granted = Answer.of(Answer.State.GRANTED, 0).withClaim(2, 3_600_000_000L);
        Belief belief = Belief.entering(new ClaimId(1, 1), LOCK, 0).answered(granted, 0, 0, 0);
        assertThat(belief.isHeld(8 * SECOND)).isTrue();
        assertThat(belief.isHeld(9 * SECOND)).isFalse();
        assertThat(belief.askAt()).isLessThan(3 * SECOND);
    }

    /** The same of a push: the time to pick up a grant, two seconds, was not cut short by what is left of the wait. */
    @Test
    void noLeaseThatAPushTellsOfIsLongerThanWasAskedFor() {
        ClaimId id = new ClaimId(1, 1);
        ClaimSpec brief = new ClaimSpec(Resource.WHOLE, Resource.WHOLE, 1_000_000, 0, false, false);
        Belief belief = Belief.entering(id, brief, 0)
                .answered(waiting(0, 2), 0, 0, 0)
                .pushed(Push.granted("x", id, 2, 1_000, 2_001_000), SECOND / 1000);
        assertThat(belief.isHeld(SECOND / 2)).isTrue();
        assertThat(belief.isHeld(SECOND)).isFalse();
    }

    private static final ClaimSpec LOCK = new ClaimSpec(Resource.WHOLE, Resource.WHOLE, 9_000_000, 0, false, false);

    private static Answer waiting(long time, long sequence) {
        return Answer.of(Answer.State.WAITING, time)
                .withClaim(sequence, time + 9_000_000)
                .withPlace(1)
                .withQueue(time + 9_000_000, 0);
    }

    private static Push granted(ClaimId id, long sequence) {
        return Push.granted("x", id, sequence, sequence, sequence + 2_000_000);
    }
}
