package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.internal.TestWorld.Node;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who gives up while the store is silent leaves it little to do, and nothing to remember. */
class BacklogTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final TestWorld world = new TestWorld();
    private final Node a = world.client(BelayOptions.defaults().withRequestTimeout(TIMEOUT));
    private final Node b = world.client();

    /** What may be asked for again and again, in vain. */
    enum Kind {
        LOCK,
        STRICT_ORDER,
        FIXED_LEASE,
        PERMIT,
        READ_LOCK,
        AT_ONCE;

        CompletableFuture<Optional<Lease>> ask(Node node) {
            Duration shortly = Duration.ofMillis(50);
            LockOptions options = LockOptions.defaults();
            return switch (this) {
                case LOCK -> node.lock("x").tryAcquireAsync(shortly);
                case STRICT_ORDER ->
                    node.lock("x", options.withStrictOrder(true)).tryAcquireAsync(shortly);
                case FIXED_LEASE ->
                    node.lock("x", options.withFixedLease(Duration.ofSeconds(9)))
                            .tryAcquireAsync(shortly);
                case PERMIT -> node.client().semaphore("x", 5).permits(2).tryAcquireAsync(shortly);
                case READ_LOCK -> node.client().readWriteLock("x").readLock().tryAcquireAsync(shortly);
                case AT_ONCE -> node.lock("x").tryAcquireAsync();
            };
        }
    }

    private Resource resource() {
        return world.store.inspect("x").resource().orElse(Resource.UNUSED);
    }

    private void up() {
        a.line().up();
        world.pass(Duration.ZERO);
    }

    /** Somebody asks, and gives up before the store has answered. */
    private void ask(Kind kind, int times) {
        for (int i = 0; i < times; i++) {
            CompletableFuture<Optional<Lease>> asked = kind.ask(a);
            world.pass(Duration.ofMillis(10));
            asked.cancel(true);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStoreThatWasSilentFindsOneEnterAndNothingToRemember(Kind kind) {
        a.line().line = FaultyStore.Line.HELD_BACK;
        ask(kind, 200);
        assertThat(a.sent(Request.Enter.class)).isEqualTo(1);
        assertThat(a.sent(Request.Leave.class)).isZero();
        up();
        assertThat(resource().claims()).isEmpty();
        assertThat(resource().tombstones()).isEmpty();
        assertThat(a.sent(Request.Leave.class)).isEqualTo(1);
        assertThat(a.size()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void manyAtOnceLeaveNothingToRememberEither(Kind kind) {
        a.line().line = FaultyStore.Line.HELD_BACK;
        List<CompletableFuture<Optional<Lease>>> all =
                Stream.generate(() -> kind.ask(a)).limit(50).toList();
        world.pass(Duration.ofMillis(10));
        all.forEach(asked -> asked.cancel(true));
        up();
        assertThat(resource().claims()).isEmpty();
        assertThat(resource().tombstones()).isEmpty();
        assertThat(a.size()).isZero();
    }

    /** Its time is over at home, or while it is on its way. */
    @Test
    void whoseTimeIsOverMeanwhileLeavesNothingToRemember() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        for (int i = 0; i < 10; i++) {
            Stream.of(Kind.values()).forEach(kind -> kind.ask(a).thenAccept(had -> had.ifPresent(Lease::releaseAsync)));
            world.pass(Duration.ofMillis(100));
        }
        up();
        world.pass(Duration.ofSeconds(3));
        assertThat(resource().claims()).isEmpty();
        assertThat(resource().tombstones()).isEmpty();
        assertThat(a.size()).isZero();
    }

    @Test
    void theNextOneEntersBehindTheLeave() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        ask(Kind.LOCK, 1);
        CompletableFuture<Lease> next = a.lock("x").acquireAsync();
        CompletableFuture<Lease> last =
                a.lock("x", LockOptions.defaults().withStrictOrder(true)).acquireAsync();
        up();
        List<Boolean> leaves =
                a.line().sent.stream().map(Request.Leave.class::isInstance).toList();
        assertThat(leaves).as("requests that leave").containsExactly(false, true, false, false);
        assertThat(a.line().sent).allMatch(one -> one instanceof Request.Enter || one instanceof Request.Leave);
        held(next).releaseAsync();
        held(last).releaseAsync();
        assertThat(a.size()).isZero();
    }

    /** As where no memory is left just then. */
    @Test
    void anEnterThatCannotBeSentWhenItMayBeIsSentAMomentLater() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        ask(Kind.LOCK, 1);
        LockOptions options = LockOptions.defaults();
        List<CompletableFuture<ReleaseOutcome>> all = Stream.of(
                        options, options.withStrictOrder(true), options.withFixedLease(TIMEOUT))
                .map(its -> a.lock("x", its).acquireAsync().thenCompose(Lease::releaseAsync))
                .toList();
        world.failIn("Timers$Timer$1.fire", 0);
        up();
        world.pass(Duration.ofSeconds(1));
        assertThat(all).allMatch(CompletableFuture::isDone);
        assertThat(a.size()).isZero();
    }

    @Test
    void whoseTimeIsOverAtHomeWaitsForTheRequestTimeoutOnce() {
        a.line().line = FaultyStore.Line.SILENT;
        DistributedLock lock = a.lock("x", LockOptions.defaults().withLease(Duration.ofSeconds(1)));
        lock.tryAcquireAsync();
        world.pass(TIMEOUT.plusMillis(100));
        CompletableFuture<Optional<Lease>> next = lock.tryAcquireAsync(Duration.ofMillis(50));
        world.pass(TIMEOUT.plusMillis(100));
        assertThat(a.line().sent.get(a.line().sent.size() - 1))
                .as("the premise: it came after the lease of the one before")
                .isInstanceOfSatisfying(
                        Request.Enter.class,
                        enter -> assertThat(enter.id().number()).isEqualTo(2));
        assertThat(next).isCompletedExceptionally();
    }

    @Test
    void otherLocksAreNotDelayed() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        ask(Kind.LOCK, 1);
        a.line().line = FaultyStore.Line.UP;
        held(a.lock("y").acquireAsync()).releaseAsync();
        CompletableFuture<Optional<Lease>> same = a.lock("x").tryAcquireAsync(Duration.ofSeconds(1));
        assertThat(same).isNotDone();
        up();
        assertThat(same.join()).isPresent();
    }

    @Test
    void anAnswerThatNeverComesIsNotWaitedForForEver() {
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        ask(Kind.LOCK, 1);
        CompletableFuture<Lease> next = a.lock("x").acquireAsync();
        CompletableFuture<Lease> elsewhere = b.lock("x").acquireAsync();
        assertThat(elsewhere).isNotDone();
        a.line().line = FaultyStore.Line.UP;
        world.pass(TIMEOUT);
        held(elsewhere).releaseAsync();
        held(next);
        assertThat(resource().tombstones()).hasSize(1);
    }

    /** Its enter may still come, and would be in everybody's way for as long as the lease. */
    @Test
    void aLeaveIsSentThoughTheLeaseIsShorterThanTheRequestTimeout() {
        LockOptions brief = LockOptions.defaults().withLease(Duration.ofSeconds(1));
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Lease> asked = a.lock("x", brief).acquireAsync();
        asked.cancel(true);
        List<Runnable> late = a.line().takeHeldBack();
        a.line().line = FaultyStore.Line.UP;
        world.pass(TIMEOUT.plusSeconds(1));
        late.forEach(Runnable::run);
        assertThat(resource().claims()).isEmpty();
        assertThat(a.size()).isZero();
    }

    @Test
    void anEnterThatFailedIsFollowedByItsLeaveAtOnce() {
        a.line().unanswered = Request.Enter.class::isInstance;
        CompletableFuture<Lease> asked = a.lock("x").acquireAsync();
        asked.cancel(true);
        assertThat(resource().claims()).isEmpty();
        a.line().unanswered = request -> false;
        held(a.lock("x").acquireAsync());
    }

    @Test
    void aConnectionThatWasLostIsReasonEnough() {
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        ask(Kind.LOCK, 1);
        a.line().line = FaultyStore.Line.UP;
        a.engine().reconnected();
        assertThat(resource().claims()).isEmpty();
        held(a.lock("x").acquireAsync());
    }

    @Test
    void aClientThatClosesSendsTheLeaveAtOnce() {
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        ask(Kind.LOCK, 1);
        CompletableFuture<Lease> next = a.lock("x").acquireAsync();
        a.client().close();
        assertThat(resource().claims()).isEmpty();
        assertThat(next).isCompletedExceptionally();
        assertThat(a.sent(Request.Enter.class)).isEqualTo(1);
        assertThat(a.size()).isZero();
    }
}
