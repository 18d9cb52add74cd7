package io.belay.internal;

import static io.belay.internal.TestWorld.LEASE;
import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The leave of a lock that is to be free at once after all, though it was given back to stay taken, when the store fails. */
class KeptNoLongerTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final LockOptions LONG = LockOptions.defaults().withAtLeast(LEASE.multipliedBy(4));

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();

    /** Returns what was held and given back, and is kept by the store. */
    private Hold kept() {
        Hold kept = (Hold) held(a.lock("x", LONG).acquireAsync());
        assertThat(kept.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(isFree()).isFalse();
        return kept;
    }

    private boolean isFree() {
        return b.lock("x").tryAcquire().map(lease -> lease.release()).isPresent();
    }

    @Test
    void itIsSentAgain() {
        for (FaultyStore.Line line : List.of(FaultyStore.Line.REFUSED, FaultyStore.Line.SILENT)) {
            Hold kept = kept();
            a.line().line = line;
            kept.releaseAtOnce();
            a.line().up();
            world.pass(TEN);
            assertThat(isFree()).isTrue();
            assertThat(a.size()).isZero();
        }
    }

    @Test
    void itIsSentAgainOnAnotherConnection() {
        Hold kept = kept();
        a.line().line = FaultyStore.Line.SILENT;
        kept.releaseAtOnce();
        a.line().up();
        a.engine().reconnected();
        assertThat(isFree()).isTrue();
    }

    @Test
    void itIsSentAgainAlsoIfTheClientWasPausedMeanwhile() {
        Hold kept = kept();
        a.client().pause(Duration.ZERO);
        a.client().resume();
        world.threads.awaitEnd();
        a.line().line = FaultyStore.Line.REFUSED;
        kept.releaseAtOnce();
        assertThat(isFree()).isFalse();
        a.line().up();
        world.pass(TEN);
        assertThat(isFree()).isTrue();
        assertThat(a.size()).isZero();
    }

    @Test
    void itIsGivenUpOnceTheTimeIsOver() {
        Hold kept = kept();
        a.line().line = FaultyStore.Line.REFUSED;
        kept.releaseAtOnce();
        world.pass(LEASE.multipliedBy(5));
        assertThat(a.leaves("x")).isGreaterThan(1);
        assertThat(a.size()).isZero();
    }

    @Test
    void aClientThatIsClosedWaitsForIt() {
        Hold kept = kept();
        a.line().line = FaultyStore.Line.HELD_BACK;
        kept.releaseAtOnce();
        world.at(Duration.ofSeconds(1), a.line()::up);
        a.client().close();
        assertThat(isFree()).isTrue();
        assertThat(a.size()).isZero();
    }

    @Test
    void aClientThatWasClosedBeforeDoesNotSendItAgain() {
        Hold kept = kept();
        a.client().close();
        a.line().line = FaultyStore.Line.REFUSED;
        kept.releaseAtOnce();
        world.pass(TEN);
        assertThat(a.leaves("x")).isLessThan(2);
        assertThat(a.size()).isZero();
    }

    @Test
    void whatTheStoreSaysOfKeepingItIsNoAnswerToIt() {
        Hold hold = (Hold) held(a.lock("x", LONG).acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        hold.releaseAsync();
        a.line().line = FaultyStore.Line.SILENT; // the leave is lost
        world.at(Duration.ofSeconds(1), a.line()::up);
        assertThat(hold.releaseAtOnce()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(isFree()).isTrue();
    }
}
