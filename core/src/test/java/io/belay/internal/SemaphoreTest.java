package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Permits are had all or none, in order, and come back. */
class SemaphoreTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();
    private final DistributedSemaphore onA = a.client().semaphore("s", 3);
    private final DistributedSemaphore onB = b.client().semaphore("s", 3);

    @AfterEach
    void nothingIsLeft() {
        for (Node node : List.of(a, b)) {
            node.client().close();
            assertThat(node.size()).isZero();
            assertThat(node.engine().timers.size()).isZero();
        }
        assertThat(world.claims("s")).isEmpty();
    }

    @Test
    void soManyAsThereAreAreHadAtATime() {
        Lease two = held(onA.permits(2).acquireAsync());
        assertThat(onA.available()).isEqualTo(1);
        Lease one = held(onB.permits(1).acquireAsync());
        assertThat(onB.available()).isZero();
        assertThat(onA.tryAcquire()).isEmpty();
        two.release();
        assertThat(onA.tryAcquire()).isPresent().get().satisfies(Lease::release);
        one.release();
        assertThat(onA.available()).isEqualTo(3);
    }

    @Test
    void whoWantsManyIsNotOvertaken() {
        Lease one = held(onA.permits(1).acquireAsync());
        CompletableFuture<Lease> all = onB.permits(3).acquireAsync();
        CompletableFuture<Lease> late = onA.permits(1).acquireAsync();
        assertThat(late).isNotDone();
        assertThat(onA.tryAcquire()).isEmpty();
        one.release();
        held(all).release();
        held(late).release();
    }

    @Test
    void twoThatWantAllOfItTakeTurns() {
        Lease first = held(onA.permits(3).acquireAsync());
        CompletableFuture<Lease> second = onB.permits(3).acquireAsync();
        assertThat(second).isNotDone();
        first.release();
        held(second).release();
    }

    @Test
    void permitsOfADeadProcessComeBack() {
        held(onA.permits(3).acquireAsync());
        a.line().line = FaultyStore.Line.SILENT; // it is never heard of again
        CompletableFuture<Lease> next = onB.permits(2).acquireAsync();
        world.pass(Duration.ofSeconds(31));
        held(next).release();
        a.line().up();
    }

    @Test
    void aLargerNumberServesThoseWhoWait() {
        Lease all = held(onA.permits(3).acquireAsync());
        CompletableFuture<Lease> next = onB.permits(2).acquireAsync();
        onA.resize(5);
        held(next).release();
        all.release();
        assertThat(onA.total()).isEqualTo(5);
        held(onA.permits(5).acquireAsync()).release();
        CompletableFuture<Lease> refused = onB.permits(1).acquireAsync();
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(LockRefusedException.class)
                .hasMessageContaining("5")
                .hasMessageContaining("3");
    }

    @Test
    void aSmallerNumberTakesNothingAwayAndEndsWaitsThatAreInVain() {
        Lease all = held(onA.permits(3).acquireAsync());
        CompletableFuture<Lease> three = onB.permits(3).acquireAsync();
        onA.resize(2);
        assertThat(all.isHeld()).isTrue();
        assertThatThrownBy(three::join)
                .hasCauseInstanceOf(LockRefusedException.class)
                .hasMessageContaining("'s'");
        assertThat(onA.tryAcquire()).isEmpty();
        all.release();
        held(onA.permits(2).acquireAsync()).release();
    }

    @Test
    void whatCanNeverBeHadIsRefusedAtOnce() {
        assertThatThrownBy(() -> onA.permits(4)).hasMessageContaining("'s'").hasMessageContaining("3");
        assertThatThrownBy(() -> onA.permits(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> a.client().semaphore("s", 0)).hasMessageContaining("0 permits");
        Lease one = held(onA.permits(1).acquireAsync());
        CompletableFuture<Lease> other = b.client().semaphore("s", 4).permits(1).acquireAsync();
        assertThatThrownBy(other::join).hasCauseInstanceOf(LockRefusedException.class);
        one.release();
    }

    @Test
    void whoJoinsTakesTheNumberFromWhoeverUsesIt() throws Exception {
        DistributedSemaphore joined = b.client().joinSemaphore("s");
        assertThatThrownBy(joined::total)
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining("semaphore(name, permits)");
        assertThatThrownBy(() -> joined.permits(1)).isInstanceOf(LockRefusedException.class);
        Lease one = held(onA.permits(1).acquireAsync());
        assertThat(joined.total()).isEqualTo(3);
        assertThat(joined.available()).isEqualTo(2);
        held(joined.permits(2).acquireAsync()).release();
        one.release();
        assertThat(joined.tryAcquire())
                .as("the number that was seen last")
                .isPresent()
                .get()
                .satisfies(Lease::release);
    }

    @Test
    void whatHasAnotherUseCannotBeJoined() {
        Lease lease = held(a.client().lock("s").acquireAsync());
        assertThatThrownBy(() -> b.client().joinSemaphore("s").available())
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining("something else");
        lease.release();
    }

    @Test
    void whoJoinedLearnsOfAnotherNumberWhereverItIsRefused() throws Exception {
        onA.resize(4);
        DistributedSemaphore joined = b.client().joinSemaphore("s");
        DistributedLock two = joined.permits(2);
        onA.resize(6);
        held(two.acquireAsync()).release();
        assertThat(joined.total()).isEqualTo(6);
        onA.resize(5);
        assertThat(two.tryAcquire()).isPresent().get().satisfies(Lease::release);
        onA.resize(6);
        two.acquire().release();
        onA.resize(5);
        assertThat(two.tryAcquire(Duration.ofSeconds(1))).isPresent().get().satisfies(Lease::release);
        onA.resize(6);
        held(two.tryAcquireAsync(Duration.ofSeconds(1)).thenApply(Optional::get))
                .release();
        assertThat(joined.permits(6).tryAcquire()).isPresent().get().satisfies(Lease::release);
        onA.resize(1);
        assertThatThrownBy(two::acquire)
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining("a semaphore of 1 permit, ");
        assertThatThrownBy(two.acquireAsync()::join).hasCauseInstanceOf(LockRefusedException.class);
    }

    /** A wait that the store has refused by a former number is over at its end, too, though nobody tells what the number is now. */
    @Test
    void aWaitOfWhoJoinedEndsInItsTimeThoughTheNumberIsNotTold() {
        onA.resize(4);
        DistributedLock two = b.client().joinSemaphore("s").permits(2);
        onA.resize(6);
        b.line().lookDelay = (name, answer) -> {};
        CompletableFuture<Optional<Lease>> waits = two.tryAcquireAsync(Duration.ofMillis(100));
        world.pass(Duration.ofMillis(99));
        assertThat(waits).isNotDone();
        world.pass(Duration.ofMillis(201));
        assertThat(waits).isCompletedExceptionally();
        assertThatThrownBy(waits::join)
                .cause()
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("'s'", "did not answer in time");
        long begun = world.time.nanos();
        assertThatThrownBy(() -> two.tryAcquire(Duration.ofMillis(100)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("'s'", "did not answer in time");
        assertThat(Duration.ofNanos(world.time.nanos() - begun)).isLessThanOrEqualTo(Duration.ofMillis(300));
    }

    /** Else it would stand before all others, wanted by nobody, until so many are free. */
    @Test
    void whoGivesUpWhileTheNumberIsLookedAtIsNotInTheQueueBehindThat() {
        onA.resize(4);
        DistributedSemaphore joined = b.client().joinSemaphore("s");
        DistributedLock three = joined.permits(3);
        onA.resize(6);
        Lease four = held(onA.permits(4).acquireAsync());
        List<Runnable> looks = new ArrayList<>();
        b.line().lookDelay = (name, answer) -> looks.add(answer);
        CompletableFuture<Lease> waits = three.acquireAsync();
        assertThat(waits.cancel(false)).isTrue();
        assertThat(looks).isNotEmpty();
        List.copyOf(looks).forEach(Runnable::run);
        assertThat(world.claims("s")).hasSize(1);
        four.release();
    }

    @Test
    void whoHasResizedLearnsOfTheNextNumberAndWhoSaidANumberKeepsIt() {
        onA.resize(4);
        b.client().joinSemaphore("s").resize(5);
        held(onA.permits(1).acquireAsync()).release();
        assertThat(onA.total()).isEqualTo(5);
        assertThat(onB.available()).isEqualTo(5);
        assertThat(onB.total()).isEqualTo(3);
        assertThatThrownBy(onB.permits(1).acquireAsync()::join).hasCauseInstanceOf(LockRefusedException.class);
    }

    @Test
    void aNumberThatMayHaveBeenSetIsLearned() throws Exception {
        a.line().line = FaultyStore.Line.ANSWERS_LOST;
        assertThatThrownBy(() -> onA.resize(4))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("'s'", "may or may not have been done");
        a.line().up();
        onA.acquire().release();
        assertThat(onA.total()).isEqualTo(4);
    }

    @Test
    void permitsThatWereAskedForBeforeLearnOfTheNumberThatIsSet() throws Exception {
        DistributedLock two = onA.permits(2);
        two.acquire().release();
        onA.resize(5);
        two.acquire().release();
        onA.resize(4);
        held(two.acquireAsync()).release();
        b.client().joinSemaphore("s").resize(6);
        assertThat(two.tryAcquire()).isPresent().get().satisfies(Lease::release);
        assertThat(onA.total()).isEqualTo(6);
        assertThatThrownBy(onB.permits(2)::acquire).isInstanceOf(LockRefusedException.class);
        assertThat(onA.delete()).isTrue();
    }

    @Test
    void aNumberThatWasSetIsForgottenIfNobodyUsesIt() {
        assertThat(onA.delete()).isFalse();
        onA.resize(4);
        Lease one = held(onA.permits(1).acquireAsync());
        assertThat(onB.delete()).isFalse();
        one.release();
        DistributedSemaphore joined = b.client().joinSemaphore("s");
        assertThat(joined.total()).isEqualTo(4);
        assertThat(joined.delete()).isTrue();
        assertThat(joined.delete()).isFalse();
        assertThatThrownBy(joined::total).isInstanceOf(LockRefusedException.class);
        held(onB.permits(3).acquireAsync()).release();
    }

    @Test
    void aNumberThatWasSetIsKeptWithoutALookAtItAtEachRequest() {
        onA.resize(4);
        held(onA.permits(1).acquireAsync()).release();
        world.pass(Duration.ofMinutes(2));
        Lease other = held(b.client().lock("x").acquireAsync());
        assertThat(world.store.queued()).isZero();
        assertThat(onA.delete()).isTrue();
        assertThat(world.store.queued()).isOne();
        world.pass(Duration.ofMinutes(2));
        other.release();
        assertThat(world.store.size()).as("x alone").isOne();
    }

    @Test
    void someOfThePermitsAreGivenBackAndTheRestIsKept() {
        Lease three = held(onA.permits(3).acquireAsync());
        CompletableFuture<Lease> two = onB.permits(2).acquireAsync();
        Lease one = onA.reduceTo(three, 1);
        assertThat(one.token()).isEqualTo(three.token());
        assertThat(three.isHeld()).isFalse();
        Lease others = held(two);
        assertThat(onA.available()).isZero();
        world.pass(Duration.ofMinutes(2));
        assertThat(one.isHeld()).isTrue();
        assertThatThrownBy(() -> onA.reduceTo(three, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> onA.reduceTo(one, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> onB.reduceTo(one, 1)).isInstanceOf(IllegalArgumentException.class);
        others.release();
        assertThat(one.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(onA.available()).isEqualTo(3);
        Lease again = held(onA.permits(2).acquireAsync());
        again.release();
        assertThatThrownBy(() -> onA.reduceTo(again, 1)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void permitsAreGivenBackByTheirTicketInAnyProcess() {
        Lease two = held(onA.permits(2).acquireAsync());
        String ticket = onA.ticket(two);
        assertThat(ticket).matches("[0-9a-f-]+");
        assertThat(onB.giveBack(ticket)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(onB.available()).isEqualTo(3);
        assertThat(onB.giveBack(ticket)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        world.pass(Duration.ofSeconds(11));
        assertThat(two.isHeld()).as("its owner has asked since").isFalse();
        assertThatThrownBy(() -> onA.ticket(two)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aTicketOfThisClientReleasesTheLease() {
        Lease two = held(onA.permits(2).acquireAsync());
        String ticket = onA.ticket(onA.reduceTo(two, 1));
        assertThat(onA.giveBack(ticket)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(a.client().admin().holds()).isEmpty();
        assertThat(onA.giveBack(ticket)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    @Test
    void aTicketOfThisClientIsNotToldAsGivenBackWhereNobodyKnows() {
        String ticket = onA.ticket(held(onA.permits(1).acquireAsync()));
        a.line().line = FaultyStore.Line.SILENT;
        assertThatThrownBy(() -> onA.giveBack(ticket))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("may or may not have been done");
        a.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(onA.giveBack(ticket)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    @Test
    void permitsThatWereToStayTakenAreFreeOnceTheirTicketIsGivenBack() {
        LockOptions options = LockOptions.defaults().withAtLeast(Duration.ofMinutes(5));
        DistributedSemaphore kept = a.client().semaphore("s", 3, options);
        for (DistributedSemaphore where : List.of(onA, onB)) {
            String ticket = kept.ticket(held(kept.permits(2).acquireAsync()));
            assertThat(where.giveBack(ticket)).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(onB.available()).isEqualTo(3);
        }
        world.pass(Duration.ofSeconds(11)); // until the other is told
    }

    @Test
    void onlyTicketsOfThisSemaphoreAreTaken() {
        Lease one = held(onA.permits(1).acquireAsync());
        String ticket = onA.ticket(one);
        DistributedSemaphore other = b.client().semaphore("t", 3);
        for (String wrong : List.of("", "x", "---", ticket + "0", "0" + ticket, ticket.substring(1), ticket + "-1")) {
            assertThatThrownBy(() -> onB.giveBack(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'s'");
        }
        assertThatThrownBy(() -> other.giveBack(ticket)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> other.ticket(one)).isInstanceOf(IllegalArgumentException.class);
        one.release();
    }

    /** One name may have had both uses, one after the other. */
    @Test
    void aLeaseOfALockIsNoLeaseOfPermitsNorTheOtherWayRound() {
        Lease lock = held(a.client().lock("s").acquireAsync());
        assertThatThrownBy(() -> onA.reduceTo(lock, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> onA.ticket(lock))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("DistributedSemaphore 's'");
        assertThat(lock.isHeld()).isTrue();
        assertThat(world.claims("s").get(0).weight()).isEqualTo(Resource.WHOLE);
        lock.release();
        Lease two = held(onA.permits(2).acquireAsync());
        DistributedReadWriteLock locks = a.client().readWriteLock("s");
        assertThatThrownBy(() -> locks.downgrade(two)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> locks.tryUpgrade(two)).isInstanceOf(IllegalArgumentException.class);
        assertThat(onA.available()).isEqualTo(1);
        two.release();
    }

    @Test
    void permitsAreLockedWhereFewerAreFree() {
        Lease two = held(onA.permits(2).acquireAsync());
        assertThat(onB.permits(1).isLocked()).isFalse();
        assertThat(onB.permits(2).isLocked()).isTrue();
        two.release();
        assertThat(onB.permits(3).isLocked()).isFalse();
        onA.resize(2);
        assertThat(b.client().joinSemaphore("s").permits(2).isLocked()).isFalse();
        assertThat(onA.delete()).isTrue();
    }
}
