package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.claim.Backlog;
import io.belay.spi.Claim;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Very many of one client come at once for the permits of a semaphore, each with a claim of its own. */
class ManyPermitsTest {
    private static final int CROWD = 5 * Backlog.MOST;
    private static final Duration SHORTLY = Duration.ofMillis(50);

    private final TestWorld world = new TestWorld();
    private final Node a = world.client(BelayOptions.defaults().withRequestTimeout(Duration.ofSeconds(5)));
    private final DistributedSemaphore semaphore = a.client().semaphore("x", 2);

    private List<CompletableFuture<Lease>> come() {
        return come(CROWD);
    }

    private List<CompletableFuture<Lease>> come(int number) {
        return Stream.generate(() -> semaphore.permits(1).acquireAsync())
                .limit(number)
                .toList();
    }

    private void up() {
        a.line().up();
        world.pass(Duration.ZERO);
    }

    private List<Claim> claims() {
        return world.store.inspect("x").resource().orElse(Resource.UNUSED).claims();
    }

    @Test
    void fewAreOnTheirWayAtATimeAndAllGetThereInOrder() {
        a.line().line = FaultyStore.Line.ANSWERS_HELD_BACK;
        List<CompletableFuture<Lease>> all = come();
        assertThat(a.sent(Request.Enter.class)).isEqualTo(Backlog.MOST);
        up();
        assertThat(claims())
                .hasSize(CROWD)
                .isSortedAccordingTo((one, other) ->
                        Long.compare(one.id().number(), other.id().number()));
        for (CompletableFuture<Lease> one : all) {
            held(one).releaseAsync();
        }
        assertThat(claims()).isEmpty();
        assertThat(a.size()).isZero();
    }

    /** Those that need not wait any more are sent by another thread, which may not run at once. */
    @Test
    void whoComesBeforeTheLastOfThemIsSentGetsThereBehindIt() {
        a.line().line = FaultyStore.Line.ANSWERS_HELD_BACK;
        come(Backlog.MOST + 2);
        a.line().up();
        come(1);
        world.pass(Duration.ZERO);
        assertThat(claims())
                .hasSize(Backlog.MOST + 3)
                .isSortedAccordingTo((one, other) ->
                        Long.compare(one.id().number(), other.id().number()));
    }

    @Test
    void aStoreThatFailsHasNoMoreOfThemWhenItIsBack() {
        a.line().line = FaultyStore.Line.REFUSED;
        List<CompletableFuture<Lease>> all = come();
        world.pass(Duration.ofSeconds(20));
        assertThat(a.line().sent.stream()
                        .filter(Request.Enter.class::isInstance)
                        .map(request -> ((Request.Enter) request).id())
                        .distinct())
                .hasSize(Backlog.MOST);
        up();
        all.forEach(one -> one.thenAccept(Lease::releaseAsync));
        world.pass(Duration.ofMinutes(1));
        assertThat(all).allMatch(CompletableFuture::isDone);
        assertThat(a.size()).isZero();
    }

    @Test
    void whoGivesUpMakesRoomAndLeavesNothing() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        List<CompletableFuture<Lease>> all = come();
        all.forEach(one -> one.cancel(true));
        CompletableFuture<Lease> last = semaphore.permits(1).acquireAsync();
        up();
        assertThat(last).isCompleted();
        last.join().releaseAsync();
        assertThat(claims()).isEmpty();
        assertThat(a.size()).isZero();
    }

    /** As where no memory is left just then. */
    @Test
    void whatFailsAsOneIsSentIsDoneAgain() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        List<CompletableFuture<Lease>> all = come();
        world.failIn("Timers$Timer$1.fire", 0);
        up();
        world.pass(Duration.ofSeconds(1));
        all.forEach(one -> one.thenAccept(Lease::releaseAsync));
        assertThat(all).allMatch(CompletableFuture::isDone);
        assertThat(a.size()).isZero();
    }

    @Test
    void whoseTimeIsOverBehindOthersHasNotHadThem() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        come();
        CompletableFuture<Optional<Lease>> nobodyKnows = semaphore.permits(1).tryAcquireAsync(SHORTLY);
        world.pass(Duration.ofSeconds(6));
        assertThat(nobodyKnows).isCompletedExceptionally();
        CompletableFuture<Optional<Lease>> behindOthers = semaphore.permits(1).tryAcquireAsync(SHORTLY);
        a.line().takeHeldBack().subList(0, 3).forEach(Runnable::run);
        world.pass(Duration.ofSeconds(6));
        assertThat(behindOthers).isCompletedWithValue(Optional.empty());
    }

    /** A lock by that name, whose enter waits only behind what was given up. */
    @Test
    void whoIsNotOneOfThemGoesFirst() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        List<CompletableFuture<Lease>> all = come();
        all.get(0).cancel(true);
        CompletableFuture<Optional<Lease>> tried = semaphore.permits(1).tryAcquireAsync();
        a.line().up();
        a.line().line = FaultyStore.Line.HELD_BACK;
        world.pass(Duration.ZERO);
        Request last = a.line().sent.stream()
                .filter(request ->
                        request instanceof Request.Enter enter && enter.spec().ifFree())
                .findFirst()
                .orElseThrow();
        assertThat(a.line().sent.indexOf(last))
                .as("the try is sent as the first of those that wait")
                .isEqualTo(Backlog.MOST + 1);
        up();
        assertThat(tried).isCompletedWithValue(Optional.empty());
    }

    /** Who does not wait is answered by the store, and keeps it busy once. */
    @Test
    void aTryDoesNotQueueBehindThem() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        come();
        CompletableFuture<Optional<Lease>> tried = semaphore.permits(1).tryAcquireAsync();
        up();
        assertThat(tried).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aClientThatIsClosedSendsNoneOfThoseThatAreStillThere() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        List<CompletableFuture<Lease>> all = come();
        a.client().close();
        assertThat(all).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(a.sent(Request.Enter.class)).isEqualTo(Backlog.MOST);
        assertThat(a.size()).isZero();
    }
}
