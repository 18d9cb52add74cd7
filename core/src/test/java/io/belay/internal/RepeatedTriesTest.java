package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import io.belay.spi.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who tries again and again keeps its place in the queue between the tries, and asks the store for little. */
class RepeatedTriesTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();
    private final Node c = world.client();
    private final Lease had = held(a.lock("x").acquireAsync());

    @AfterEach
    void nothingIsLeft() {
        ((Hold) had).discard();
        world.pass(Duration.ofSeconds(3));
        assertThat(world.claims("x")).isEmpty();
        for (Node node : new Node[] {a, b, c}) {
            assertThat(node.size()).isZero();
            node.client().close();
            assertThat(node.engine().timers.size()).isZero();
        }
    }

    private CompletableFuture<Optional<Lease>> attempt() {
        return b.lock("x").tryAcquireAsync(SHORT);
    }

    private void fails(int tries) {
        for (int i = 0; i < tries; i++) {
            CompletableFuture<Optional<Lease>> attempt = attempt();
            world.pass(SHORT);
            assertThat(attempt).isCompletedWithValue(Optional.empty());
        }
    }

    @Test
    void theFirstTryHasLeftTheQueueAndTheOthersWhenNoneFollows() {
        fails(1);
        assertThat(world.claims("x")).hasSize(1);
        fails(1);
        assertThat(world.claims("x")).hasSize(2);
        world.pass(SHORT);
        assertThat(world.claims("x")).hasSize(1);
        assertThat(b.size()).isZero();
    }

    /** By then nobody expects another try. */
    @Test
    void aTryWhoseLeaveIsAnsweredLateLeavesNothing() {
        CompletableFuture<Optional<Lease>> attempt = attempt();
        world.at(SHORT, () -> b.line().line = FaultyStore.Line.ANSWERS_HELD_BACK);
        world.pass(Duration.ofMillis(130));
        assertThat(attempt).as("the premise").isNotDone();
        b.line().up();
        assertThat(attempt).isCompletedWithValue(Optional.empty());
        assertThat(b.size()).isZero();
    }

    @Test
    void aTryNowAndThenKeepsNoPlace() {
        for (int i = 0; i < 5; i++) {
            fails(1);
            assertThat(world.claims("x")).hasSize(1);
            world.pass(Duration.ofMillis(60));
        }
    }

    @Test
    void aHundredTriesEnterTwice() {
        fails(100); // five seconds
        assertThat(b.sent(Request.Enter.class)).isEqualTo(2);
        assertThat(b.sent(Request.Renew.class)).isLessThan(12);
    }

    @Test
    void thePlaceIsBeforeThatOfWhoCameLater() {
        fails(2);
        CompletableFuture<Lease> later = c.lock("x").acquireAsync();
        fails(3);
        CompletableFuture<Optional<Lease>> last = attempt();
        ((Hold) had).discard();
        assertThat(last.join()).isPresent();
        assertThat(later).isNotDone();
        ((Hold) last.join().orElseThrow()).discard();
        ((Hold) held(later)).discard();
    }

    @Test
    void whatIsGrantedBetweenTwoTriesGoesToTheNextClientAtOnce() {
        fails(2);
        CompletableFuture<Lease> later = c.lock("x").acquireAsync();
        ((Hold) had).discard();
        ((Hold) held(later)).discard();
    }

    /** Nobody uses the lock then, but the store has not been told so yet: to wait any longer helps. */
    @Test
    void whileAGrantBetweenTwoTriesIsGivenBackATryOfAnotherIsRefused() {
        fails(2);
        b.line().line = FaultyStore.Line.HELD_BACK;
        ((Hold) had).discard();
        assertThat(b.client().admin().holds()).isEmpty();
        assertThat(c.lock("x").tryAcquireAsync()).isCompletedWithValue(Optional.empty());
        CompletableFuture<Optional<Lease>> waits = c.lock("x").tryAcquireAsync(SHORT);
        b.line().takeHeldBack().forEach(Runnable::run);
        b.line().up();
        assertThat(waits.join()).isPresent();
        ((Hold) waits.join().orElseThrow()).discard();
    }

    /** The grant of the kept place is on its way, or lost: it is the store that is asked, not what was last heard. */
    @Test
    void aTryThatDoesNotWaitHasTheFreeLock() {
        fails(2);
        b.line().pushesLost = true;
        ((Hold) had).discard();
        Optional<Lease> got = b.lock("x").tryAcquireAsync().join();
        assertThat(got).isPresent();
        ((Hold) got.orElseThrow()).discard();
    }

    @Test
    void aTryThatDoesNotWaitIsRefusedWhereAnotherHasTheLock() {
        fails(2);
        assertThat(b.lock("x").tryAcquireAsync()).isCompletedWithValue(Optional.empty());
        assertThat(world.claims("x")).hasSize(1);
    }

    /** The place is being left for the first one: nobody has been asked since, and who asks first may give up. */
    @Test
    void whoTriesWhileAPlaceIsLeftForAnotherTryAsksForItself() {
        fails(2);
        b.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Optional<Lease>> first = b.lock("x").tryAcquireAsync();
        CompletableFuture<Optional<Lease>> second = b.lock("x").tryAcquireAsync();
        assertThat(second).isNotDone();
        first.cancel(true);
        ((Hold) had).discard();
        b.line().up();
        assertThat(second).isCompletedWithValueMatching(Optional::isPresent);
        ((Hold) second.join().orElseThrow()).discard();
    }

    @Test
    void aTryThatDoesNotWaitNoticesASilentStore() {
        fails(2);
        b.line().line = FaultyStore.Line.SILENT;
        CompletableFuture<Optional<Lease>> attempt = b.lock("x").tryAcquireAsync();
        world.pass(Duration.ofSeconds(5));
        assertThat(attempt)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(StoreUnavailableException.class);
        b.line().up();
        world.pass(Duration.ofSeconds(3));
    }

    @Test
    void aClientThatClosesKeepsNoPlace() {
        fails(2);
        b.client().close();
        assertThat(world.claims("x")).hasSize(1);
    }

    @Test
    void anInterruptedTryKeepsNoPlace() {
        fails(2);
        CompletableFuture<Optional<Lease>> attempt = attempt();
        attempt.cancel(false);
        assertThat(world.claims("x")).hasSize(1);
    }

    @Test
    void aStoreThatIsSilentIsNoticedAllTheSame() {
        fails(2);
        b.line().line = FaultyStore.Line.SILENT;
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 40; i++) {
                        CompletableFuture<Optional<Lease>> attempt = attempt();
                        world.pass(SHORT);
                        if (!attempt.isDone()) {
                            world.pass(Duration.ofMillis(200));
                        }
                        attempt.getNow(Optional.empty());
                    }
                })
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreUnavailableException.class);
        b.line().up();
        world.pass(Duration.ofSeconds(3));
    }
}
