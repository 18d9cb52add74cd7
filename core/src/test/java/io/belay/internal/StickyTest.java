package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.primitive.Lock;
import io.belay.spi.Claim;
import io.belay.spi.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sticky lock stays with its client while nobody else wants it. */
class StickyTest {
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final LockOptions STICKY = LockOptions.defaults().withSticky(IDLE);

    private final TestWorld world = new TestWorld();
    private final Node a = world.client(BelayOptions.defaults().withLockDefaults(STICKY));
    private final Node b = world.client();
    private final Lock lock = a.lock("x");

    /** Used once, and kept. */
    @BeforeEach
    void keep() {
        assertThat(held(lock.acquireAsync()).release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(world.claims("x")).hasSize(1);
    }

    @AfterEach
    void nothingIsLeft() {
        a.line().up();
        b.line().up();
        a.client().close();
        b.client().close();
        assertThat(world.claims("x")).isEmpty();
        assertThat(a.size() + a.engine().timers.size()).isZero();
    }

    @Test
    void toTakeItAgainCostsNothingAndTheTokensRise() {
        long last = 0;
        int sent = a.line().sent.size();
        for (int i = 0; i < 1000; i++) {
            Lease lease = lock.tryAcquire().orElseThrow();
            assertThat(lease.token()).isGreaterThan(last);
            last = lease.token();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(lease.isHeld()).isFalse();
        }
        assertThat(a.line().sent).hasSize(sent);
    }

    @Test
    void whoWaitsElsewhereHasItAtOnceAndTheKeeperComesNext() {
        Lease other = held(b.lock("x").acquireAsync());
        CompletableFuture<Lease> next = lock.acquireAsync();
        assertThat(next).isNotDone();
        other.release();
        assertThat(held(next).token()).isGreaterThan(other.token());
        next.join().release();
        assertThat(world.claims("x")).hasSize(1);
    }

    /** It is kept from other clients alone, whatever way somebody of its own has to come. */
    @Test
    void whatIsKeptIsFreeForItsOwnClientInAnyWay() throws InterruptedException {
        DistributedLock fixed = a.lock("x", STICKY.withFixedLease(Duration.ofSeconds(1)));
        List<DistributedLock> others = List.of(
                fixed,
                a.lock("x", STICKY.withStrictOrder(true)),
                a.lock("x", LockOptions.defaults().withSticky(IDLE.plusSeconds(1))),
                a.client().readWriteLock("x").readLock());
        for (DistributedLock other : others) {
            Lease lease = other.tryAcquire().orElseThrow();
            assertThat(lock.tryAcquire()).as("while it is held").isEmpty();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            Lease used = lock.tryAcquire().orElseThrow();
            assertThat(other.tryAcquire()).as("while what is kept is used").isEmpty();
            used.release();
        }
        assertThat(fixed.tryAcquire(Duration.ZERO).orElseThrow().release()).isEqualTo(ReleaseOutcome.RELEASED);
        ReadWriteLock levels = a.client().reentrantReadWriteLock("x");
        levels.writeLock().lock();
        levels.writeLock().unlock();
        assertThat(levels.readLock().tryLock()).isTrue();
        levels.readLock().unlock();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePlaceThatIsKeptForTheNextTryIsInTheWayOfOtherClientsAlone(boolean sticky) {
        DistributedLock lock = a.lock("x", sticky ? STICKY : LockOptions.defaults());
        Lease other = held(b.client().readWriteLock("x").readLock().acquireAsync());
        for (int i = 0; i < 2; i++) {
            CompletableFuture<Optional<Lease>> tried = lock.tryAcquireAsync(Duration.ofMillis(10));
            world.pass(Duration.ofMillis(10));
            assertThat(tried.join()).isEmpty();
        }
        assertThat(world.claims("x")).as("the premise").hasSize(2);
        DistributedLock reader = a.client().readWriteLock("x").readLock();
        reader.tryAcquire().orElseThrow().release();
        assertThat(world.claims("x")).hasSize(1);
        assertThat(lock.tryAcquire()).isEmpty();
        other.release();
    }

    @Test
    void whoOfItsOwnClientWaitsHasItBehindItsUserWithoutAMessageOfTheStores() {
        a.line().pushesLost = true;
        Lease used = lock.tryAcquire().orElseThrow();
        CompletableFuture<Lease> reader =
                a.client().readWriteLock("x").readLock().acquireAsync();
        assertThat(a.lock("x", STICKY.withStrictOrder(true)).tryAcquire()).isEmpty();
        used.release();
        world.pass(Duration.ofSeconds(3)); // within that it asks anyway
        assertThat(held(reader).release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void whoOfItsOwnClientComesBeforeItIsGrantedHasItBehindItsUserToo() {
        a.line().pushesLost = true;
        a.lock("x", STICKY.withStrictOrder(true)).tryAcquire().orElseThrow().release();
        assertThat(world.claims("x")).as("the premise").isEmpty();
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Lease> user = lock.acquireAsync();
        CompletableFuture<Lease> reader =
                a.client().readWriteLock("x").readLock().acquireAsync();
        a.line().up();
        held(user).release();
        world.pass(Duration.ofSeconds(3));
        assertThat(held(reader).release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void strictOrderFixedLeasesAndLocksThatStayTakenTakePrecedence() {
        for (LockOptions options : List.of(
                STICKY.withStrictOrder(true),
                STICKY.withFixedLease(Duration.ofSeconds(5)),
                STICKY.withAtLeast(Duration.ofSeconds(1)))) {
            Lease lease = held(a.lock("y", options).acquireAsync());
            world.pass(Duration.ofSeconds(1));
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(world.claims("y")).isEmpty();
        }
    }

    @Test
    void readersPermitsAndLeadersKeepNothing() {
        held(a.client().readWriteLock("y").readLock().acquireAsync()).release();
        held(a.client().semaphore("s", 3).permits(2).acquireAsync()).release();
        held(a.client().election("e").campaignAsync()).release();
        for (String name : List.of("y", "s", "e")) {
            assertThat(world.claims(name)).as(name).isEmpty();
        }
    }

    @Test
    void whileItIsInUseTheOthersWaitForItsRelease() {
        Lease lease = held(lock.acquireAsync());
        CompletableFuture<Lease> other = b.lock("x").acquireAsync();
        assertThat(other).isNotDone();
        lease.release();
        assertThat(held(other).token()).isGreaterThan(lease.token());
        other.join().release();
    }

    @Test
    void theFirstWhoTriesAtOnceFailsAndMakesTheKeeperLetGo() {
        assertThat(b.lock("x").tryAcquire()).isEmpty();
        Optional<Lease> second = b.lock("x").tryAcquire();
        assertThat(second).isPresent();
        second.get().release();
    }

    @Test
    void aKeeperThatIsNotToldFindsOutFromTheWaitersNextRequest() {
        a.line().pushesLost = true;
        CompletableFuture<Lease> other = b.lock("x").acquireAsync();
        assertThat(other).isNotDone();
        a.line().pushesLost = false;
        world.pass(Duration.ofMillis(2_100));
        held(other).release();
    }

    /** Where no message comes through. */
    @Test
    void aKeeperThatIsNeverToldFindsOutFromItsNextRenewal() {
        a.line().pushesLost = true;
        CompletableFuture<Lease> other = b.lock("x").acquireAsync();
        world.pass(Duration.ofSeconds(9));
        assertThat(other).isNotDone();
        world.pass(Duration.ofMillis(1_100)); // a third of its lease has passed
        held(other).release();
    }

    @Test
    void itIsGivenBackWhenItsTimeIsOver() {
        world.pass(IDLE.minusSeconds(1));
        held(lock.acquireAsync()).release();
        world.pass(IDLE.minusSeconds(1));
        assertThat(world.claims("x")).hasSize(1);
        world.pass(Duration.ofSeconds(2));
        assertThat(world.claims("x")).isEmpty();
        assertThat(a.size()).isZero();
        assertThat(a.engine().timers.size()).isZero();
    }

    @Test
    void aHoldAcrossThatTimeIsNotTouched() {
        Lease lease = held(lock.acquireAsync());
        world.pass(IDLE.multipliedBy(2));
        assertThat(lease.isHeld()).isTrue();
        lease.release();
        assertThat(world.claims("x")).hasSize(1);
        world.pass(IDLE.plusSeconds(1));
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aLeaseThatEndedWhileItWasKeptIsNotHandedOut() {
        a.line().line = FaultyStore.Line.SILENT;
        world.pass(Duration.ofMinutes(1));
        CompletableFuture<Lease> next = lock.acquireAsync();
        assertThat(next).isNotDone();
        Lease other = held(b.lock("x").acquireAsync());
        a.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(next).isNotDone();
        other.release();
        held(next).release();
    }

    @Test
    void aStoppedProcessDoesNotTrustWhatItKept() {
        world.freeze(Duration.ofMinutes(1));
        Lease other = held(b.lock("x").acquireAsync());
        CompletableFuture<Lease> next = lock.acquireAsync();
        assertThat(next).isNotDone();
        other.release();
        assertThat(held(next).token()).isGreaterThan(other.token());
        next.join().release();
    }

    @Test
    void freshSequencesAreFetchedOnTheWay() {
        long renewals = a.sent(Request.Renew.class);
        long yields = a.sent(Request.Yield.class);
        long last = 0;
        for (int i = 0; i < 100_000; i++) {
            Lease lease = held(lock.acquireAsync());
            assertThat(lease.token()).isGreaterThan(last);
            last = lease.token();
            lease.release();
        }
        assertThat(a.sent(Request.Renew.class) - renewals).isEqualTo(3);
        assertThat(a.sent(Request.Yield.class)).isEqualTo(yields);
    }

    /** The store changes no weight under the sequence that it has just replaced, and has refused nothing. */
    @Test
    void aWriterBecomesAReaderAlsoWhileAFreshSequenceIsOnItsWay() {
        DistributedReadWriteLock both = a.client().readWriteLock("y");
        held(both.writeLock().acquireAsync()).release();
        long renewals = a.sent(Request.Renew.class);
        a.line().line = FaultyStore.Line.HELD_BACK;
        Lease writer = held(both.writeLock().acquireAsync());
        for (int i = 0; a.sent(Request.Renew.class) == renewals; i++) {
            assertThat(i).isLessThan(65_536);
            writer.release();
            writer = held(both.writeLock().acquireAsync());
        }
        Lease read = both.downgrade(writer);
        a.line().up();
        assertThat(world.claims("y")).extracting(Claim::weight).containsExactly(1);
        held(b.client().readWriteLock("y").readLock().acquireAsync()).release();
        read.release();
    }

    @Test
    void withoutAFreshSequenceNothingIsHandedOn() {
        a.line().line = FaultyStore.Line.SILENT;
        CompletableFuture<Lease> next = lock.acquireAsync();
        for (int i = 0; next.isDone(); i++) {
            assertThat(i).isLessThan(65_536);
            next.join().release();
            next = lock.acquireAsync();
        }
        a.line().up();
        world.pass(Duration.ofSeconds(3));
        held(next).release();
    }

    @Test
    void threadsOfTheKeeperHandItOnForAsLongAsNobodyElseWantsIt() {
        Lease lease = held(lock.acquireAsync());
        CompletableFuture<Lease> second = lock.acquireAsync();
        int sent = a.line().sent.size();
        world.freeze(Duration.ofMillis(10)); // longer than a slice
        lease.release();
        CompletableFuture<Lease> third = lock.acquireAsync();
        held(second).release();
        assertThat(a.line().sent).hasSize(sent);
        CompletableFuture<Lease> other = b.lock("x").acquireAsync();
        CompletableFuture<Lease> fourth = lock.acquireAsync();
        held(third).release();
        held(other).release();
        held(fourth).release();
    }

    @Test
    void aLockOfOneWithAFixedLeaseGetsItFromTheKeeperToo() {
        Lease fixed =
                held(a.lock("x", STICKY.withFixedLease(Duration.ofSeconds(5))).acquireAsync());
        fixed.release();
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void byForceItIsTakenFromTheKeeper() {
        assertThat(b.client().admin().forceRelease("x")).isTrue();
        assertThat(world.claims("x")).isEmpty();
        Lease lease = held(lock.acquireAsync());
        assertThat(lease.isHeld()).isTrue();
        lease.release();
    }
}
