package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A client whose connection has answered nothing yet: it is what the client itself does that takes long. */
class ColdClientTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();

    private CompletableFuture<Optional<Lease>> triedFor(Duration wait) {
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Optional<Lease>> attempt = a.lock("x").tryAcquireAsync(wait);
        world.pass(Duration.ofSeconds(1));
        return attempt;
    }

    @Test
    void aShortTryWaitsForTheFirstAnswer() {
        for (Duration wait : new Duration[] {Duration.ZERO, Duration.ofMillis(100)}) {
            a.engine().reconnected();
            CompletableFuture<Optional<Lease>> attempt = triedFor(wait);
            assertThat(attempt).isNotDone();
            a.line().up();
            assertThat(attempt).isCompletedWithValueMatching(Optional::isPresent);
            ((Hold) attempt.join().orElseThrow()).discard();
        }
    }

    @Test
    void itWaitsNoLongerThanForAConnection() {
        CompletableFuture<Optional<Lease>> attempt = triedFor(Duration.ZERO);
        world.pass(a.engine().options.requestTimeout());
        assertThat(attempt)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void afterAnAnswerAMissingOneIsToldSoon() {
        ((Hold) held(a.lock("y").acquireAsync())).discard();
        assertThat(triedFor(Duration.ZERO))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreUnavailableException.class);
    }

    /** What was asked before is asked again on it. */
    @Test
    void aNewConnectionHasItsTimeToAnswer() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Optional<Lease>> attempt = a.lock("x").tryAcquireAsync(Duration.ofMillis(100));
        a.engine().reconnected();
        world.pass(Duration.ofSeconds(1));
        assertThat(attempt).isNotDone();
        a.line().up();
        assertThat(attempt).isCompletedWithValueMatching(Optional::isPresent);
    }
}
