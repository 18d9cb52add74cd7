package io.belay.internal;

import static io.belay.internal.TestWorld.LEASE;
import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayOptions;
import io.belay.DistributedReadWriteLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.LossReason;
import io.belay.ReentrantDistributedReadWriteLock;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.internal.TestWorld.Node;
import io.belay.internal.gate.Hold;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers share, writers do not, and who holds may become the other. */
class ReadWriteTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();
    private final DistributedReadWriteLock onA = a.client().readWriteLock("x");
    private final DistributedReadWriteLock onB = b.client().readWriteLock("x");

    @AfterEach
    void nothingIsLeft() {
        for (Node node : List.of(a, b)) {
            node.line().up();
            world.pass(Duration.ofSeconds(3));
            node.client().close();
            assertThat(node.size()).isZero();
            assertThat(node.engine().timers.size()).isZero();
        }
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void readersOfOneClientShareAClaimForASlice() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            leases.add(held(onA.readLock().acquireAsync()));
        }
        assertThat(a.sent(Request.Enter.class)).isEqualTo(1);
        world.freeze(Duration.ofMillis(3));
        leases.add(held(onA.readLock().acquireAsync()));
        assertThat(a.sent(Request.Enter.class)).isEqualTo(2);
        assertThat(world.claims("x")).hasSize(2);
        leases.forEach(lease -> assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED));
        assertThat(world.claims("x")).isEmpty();
        assertThat(a.size()).isZero();
    }

    @Test
    void aWriterWaitsForAllReadersAndLaterReadersForIt() {
        Lease first = held(onA.readLock().acquireAsync());
        Lease second = held(onB.readLock().acquireAsync());
        CompletableFuture<Lease> writer = onB.writeLock().acquireAsync();
        world.freeze(Duration.ofMillis(3));
        CompletableFuture<Lease> late = onA.readLock().acquireAsync();
        assertThat(late).isNotDone();
        first.release();
        assertThat(writer).isNotDone();
        second.release();
        Lease written = held(writer);
        assertThat(written.token()).isGreaterThan(Math.max(first.token(), second.token()));
        assertThat(late).isNotDone();
        written.release();
        assertThat(held(late).token()).isGreaterThan(written.token());
        late.join().release();
    }

    @Test
    void readersThatWaitAreServedTogether() {
        Lease writer = held(onB.writeLock().acquireAsync());
        List<CompletableFuture<Lease>> readers = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            readers.add(onA.readLock().acquireAsync());
        }
        assertThat(a.sent(Request.Enter.class)).isEqualTo(1);
        assertThat(onA.readLock().tryAcquire()).as("asks for itself").isEmpty();
        assertThat(a.sent(Request.Enter.class)).isEqualTo(2);
        writer.release();
        readers.forEach(reader -> held(reader).release());
    }

    @Test
    void tryAcquireOfAReaderAsksTheStoreUnlessItKnows() {
        assertThat(onA.readLock().tryAcquire()).isPresent().get().satisfies(Lease::release);
        Lease writer = held(onB.writeLock().acquireAsync());
        assertThat(onA.readLock().tryAcquire()).isEmpty();
        writer.release();
        Lease reader = held(onB.readLock().acquireAsync());
        assertThat(onA.readLock().tryAcquire()).isPresent().get().satisfies(Lease::release);
        reader.release();
    }

    /** Each step of a gate looks at all of its claims: many at one made each other slow. */
    @Test
    void triesOfReadersWhileTheStoreIsAskedHaveAGateEach() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        List<CompletableFuture<Optional<Lease>>> tries = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            tries.add(onA.readLock().tryAcquireAsync());
        }
        assertThat(a.size()).as("gates and claims").isEqualTo(100);
        a.line().up();
        tries.add(onA.readLock().tryAcquireAsync());
        assertThat(a.sent(Request.Enter.class))
                .as("the last one joins the first")
                .isEqualTo(50);
        tries.forEach(attempt -> assertThat(attempt)
                .isCompletedWithValueMatching(lease -> lease.orElseThrow().release() == ReleaseOutcome.RELEASED));
    }

    @Test
    void givingUpAndRunningOutOfTimeLeaveNothing() {
        Lease writer = held(onB.writeLock().acquireAsync());
        CompletableFuture<Lease> cancelled = onA.readLock().acquireAsync();
        CompletableFuture<Optional<Lease>> timed = onA.readLock().tryAcquireAsync(Duration.ofSeconds(1));
        cancelled.cancel(true);
        world.pass(Duration.ofMillis(1_100));
        assertThat(timed.join()).isEmpty();
        assertThat(world.claims("x")).hasSize(1);
        writer.release();
    }

    @Test
    void aWriterBecomesAReaderAndTheReadersThatWaitAreGrantedAtOnce() {
        Lease writer = held(onA.writeLock().acquireAsync());
        CompletableFuture<Lease> reader = onB.readLock().acquireAsync();
        assertThat(reader).isNotDone();
        Lease read = onA.downgrade(writer);
        assertThat(held(reader).isHeld()).isTrue();
        assertThat(read.isHeld()).isTrue();
        assertThat(read.token()).isEqualTo(writer.token());
        assertThat(writer.isHeld()).isFalse();
        assertThat(writer.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(read.isHeld()).isTrue();
        CompletableFuture<Lease> next = onA.writeLock().acquireAsync();
        assertThat(next).isNotDone();
        read.release();
        reader.join().release();
        held(next).release();
    }

    /** Another server took over, and has missed it: the store is told once more what it is to make of the claim. */
    @Test
    void aWriterThatBecameAReaderIsOneAlsoToAStoreThatHasForgottenIt() throws Exception {
        Lease writer = held(onA.writeLock().acquireAsync());
        Resource before = resource();
        Lease read = onA.downgrade(writer);
        goBack(before);
        held(onB.readLock().acquireAsync()).release();
        world.pass(LEASE.multipliedBy(3));
        assertThat(read.isHeld()).isTrue();
        read.release();
    }

    private Resource resource() {
        return world.store.inspect("x").resource().orElseThrow();
    }

    /** Another server takes over, which has missed what came then. */
    private void goBack(Resource before) throws Exception {
        world.store.goBack("x", before);
        a.engine().reconnected();
        world.pass(Duration.ofSeconds(1));
    }

    private DistributedReadWriteLock lockForAtLeast(int seconds) {
        LockOptions defaults = LockOptions.defaults();
        return a.client()
                .readWriteLock("x", seconds == 0 ? defaults : defaults.withAtLeast(Duration.ofSeconds(seconds)));
    }

    /** Readers may be inside that came in between, or come now; whatever it was before, and however it is renewed. */
    @ParameterizedTest
    @CsvSource({"false, 0", "true, 0", "false, 20", "true, 20"})
    void aWriterLosesWhatItHasBecomeWhereTheStoreHasForgottenIt(boolean wroteBefore, int atLeast) throws Exception {
        DistributedReadWriteLock lock = lockForAtLeast(atLeast);
        Lease reader = wroteBefore
                ? lock.downgrade(held(lock.writeLock().acquireAsync()))
                : held(lock.readLock().acquireAsync());
        Resource before = resource();
        Lease writer = lock.tryUpgrade(reader).orElseThrow();
        List<LossReason> told = new ArrayList<>();
        writer.onLost(loss -> told.add(loss.reason().orElseThrow()));
        goBack(before);
        assertThat(told).containsExactly(LossReason.FORGOTTEN);
        assertThat(writer.isHeld()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20})
    void aReaderThatWroteForAWhileIsOneAlsoToAStoreThatHasForgottenIt(int atLeast) throws Exception {
        DistributedReadWriteLock lock = lockForAtLeast(atLeast);
        Lease writer = lock.tryUpgrade(held(lock.readLock().acquireAsync())).orElseThrow();
        Resource before = resource();
        Lease read = lock.downgrade(writer);
        goBack(before);
        held(onB.readLock().acquireAsync()).release();
        assertThat(read.isHeld()).isTrue();
        read.release();
        world.pass(Duration.ofSeconds(atLeast));
        held(onB.writeLock().acquireAsync()).release();
    }

    /** Else the change would be counted on from what the store had. */
    @Test
    void whatWasChangedIsRenewedOnANewConnectionBeforeItIsChangedAgain() throws Exception {
        DistributedReadWriteLock lock =
                a.client().readWriteLock("x", LockOptions.defaults().withFixedLease(Duration.ofHours(1)));
        Lease reader = held(lock.readLock().acquireAsync());
        Resource before = resource();
        Lease writer = lock.tryUpgrade(reader).orElseThrow();
        world.store.goBack("x", before);
        a.engine().reconnected();
        assertThatThrownBy(() -> writer.extend(Duration.ofHours(2))).isInstanceOf(LeaseLostException.class);
    }

    /** The request for another end, which no answer has told of yet, counts on from what the store had. */
    @Test
    void aWriterThatAsksForAnotherEndLosesWhatItHasBecomeWhereTheStoreHasForgottenIt() throws Exception {
        DistributedReadWriteLock lock =
                a.client().readWriteLock("x", LockOptions.defaults().withFixedLease(Duration.ofHours(1)));
        Lease reader = held(lock.readLock().acquireAsync());
        Resource before = resource();
        Lease writer = lock.tryUpgrade(reader).orElseThrow();
        a.line().line = FaultyStore.Line.SILENT;
        assertThatThrownBy(() -> writer.extend(Duration.ofHours(2))).isInstanceOf(StoreUnavailableException.class);
        a.line().up();
        goBack(before);
        assertThat(writer.isHeld()).isFalse();
    }

    @Test
    void writersBehindOneThatBecameAReaderEnterAnew() {
        Lease writer = held(onA.writeLock().acquireAsync());
        CompletableFuture<Lease> second = onA.writeLock().acquireAsync();
        Lease read = onA.downgrade(writer);
        assertThat(second).isNotDone();
        assertThat(world.claims("x")).hasSize(2);
        read.release();
        held(second).release();
    }

    @Test
    void aDowngradeThatGotNoAnswerIsAskedAgain() {
        Lease writer = held(onA.writeLock().acquireAsync());
        CompletableFuture<Lease> reader = onB.readLock().acquireAsync();
        a.line().line = FaultyStore.Line.SILENT;
        Lease read = onA.downgrade(writer);
        assertThat(reader).isNotDone();
        a.line().up();
        world.pass(Duration.ofMillis(2_100));
        held(reader).release();
        assertThat(read.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void theOnlyReaderBecomesAWriter() {
        Lease read = held(onA.readLock().acquireAsync());
        CompletableFuture<Lease> waiting = onB.writeLock().acquireAsync();
        Lease written = onA.tryUpgrade(read).orElseThrow();
        assertThat(read.isHeld()).isFalse();
        assertThat(onB.readLock().tryAcquire()).isEmpty();
        CompletableFuture<Lease> late = onA.readLock().acquireAsync();
        assertThat(late).isNotDone();
        Lease again = onA.downgrade(written);
        assertThat(again.isHeld()).isTrue();
        again.release();
        held(waiting).release();
        held(late).release();
    }

    @Test
    void oneOfSeveralReadersDoesNot() {
        Lease read = held(onA.readLock().acquireAsync());
        Lease local = held(onA.readLock().acquireAsync());
        assertThat(onA.tryUpgrade(read)).isEmpty();
        local.release();
        Lease remote = held(onB.readLock().acquireAsync());
        assertThat(onA.tryUpgrade(read)).isEmpty();
        assertThat(read.isHeld()).isTrue();
        remote.release();
        assertThat(onA.tryUpgrade(read)).isPresent().get().satisfies(Lease::release);
    }

    @Test
    void anUpgradeThatIsReleasedMeanwhileIsOver() {
        Lease read = held(onA.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.SILENT;
        CompletableFuture<Optional<Lease>> upgrade = onA.tryUpgradeAsync(read);
        ((Hold) read).discard();
        assertThat(upgrade).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aRefusalThatWasMadeAfterAllIsUndone() {
        Lease read = held(onA.readLock().acquireAsync());
        Lease other = held(onB.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Optional<Lease>> first = onA.tryUpgradeAsync(read);
        world.pass(Duration.ofMillis(2_100)); // it is sent again
        assertThat(first).isCompletedExceptionally();
        CompletableFuture<Optional<Lease>> upgrade = onA.tryUpgradeAsync(read);
        a.line().line = FaultyStore.Line.UP;
        List<Runnable> late = a.line().takeHeldBack();
        late.get(late.size() - 1).run();
        assertThat(upgrade).isCompletedWithValue(Optional.empty());
        other.release();
        late.get(0).run(); // this one is granted, but nobody counts on it
        CompletableFuture<Lease> reader = onB.readLock().acquireAsync();
        world.pass(Duration.ofSeconds(11));
        held(reader).release();
        read.release();
    }

    /** As it was made it counts: what was to stay taken was taken for kept by that. */
    @Test
    void aRefusalThatWasMadeAfterAllIsNotTakenForWhatKeepsTheLock() {
        Lease read = held(onA.readLock().acquireAsync());
        Lease other = held(onB.readLock().acquireAsync());
        assertThat(onA.tryUpgrade(read)).isEmpty();
        other.release();
        Request upgrade = a.line().sent.get(a.line().sent.size() - 1);
        world.store.run(upgrade); // a late copy, whose answer is lost
        assertThat(world.claims("x").get(0).weight()).isGreaterThan(1);
        assertThat(read.releaseAfter(Duration.ofMinutes(2))).isEqualTo(ReleaseOutcome.RELEASED);
        world.pass(Duration.ofSeconds(119));
        assertThat(onB.writeLock().tryAcquire()).isEmpty();
        assertThat(onB.readLock().tryAcquire()).isPresent().get().satisfies(Lease::release);
        world.pass(Duration.ofSeconds(1));
        held(onB.writeLock().acquireAsync()).release();
    }

    /** Its end is fixed anew all the time, and an answer to that was taken for one that knows of nothing else. */
    @Test
    void aRefusalThatWasMadeAfterAllIsUndoneThoughTheEndIsFixedMeanwhile() {
        LockOptions atLeast =
                LockOptions.defaults().withLease(Duration.ofSeconds(3)).withAtLeast(Duration.ofSeconds(10));
        DistributedReadWriteLock lasting = a.client().readWriteLock("x", atLeast);
        Lease read = held(lasting.readLock().acquireAsync());
        Lease other = held(onB.readLock().acquireAsync());
        assertThat(lasting.tryUpgrade(read)).isEmpty();
        other.release();
        world.store.run(a.line().sent.get(a.line().sent.size() - 1));
        assertThat(onB.readLock().tryAcquire()).isEmpty();
        world.pass(Duration.ofSeconds(11));
        assertThat(read.isHeld()).isTrue();
        assertThat(onB.readLock().tryAcquire()).isPresent().get().satisfies(Lease::release);
        read.release();
    }

    @Test
    void allReadersOfALostClaimAreTold() {
        List<Lease> leases =
                List.of(held(onA.readLock().acquireAsync()), held(onA.readLock().acquireAsync()));
        List<String> told = new ArrayList<>();
        leases.forEach(lease -> lease.onLost(loss -> told.add(loss.getMessage())));
        b.client().admin().forceRelease("x");
        assertThat(told).hasSize(2);
        assertThatThrownBy(() -> onA.downgrade(leases.get(0))).isInstanceOf(LeaseLostException.class);
        assertThat(leases).noneMatch(Lease::isHeld);
    }

    @Test
    void maxHoldEndsOneReaderAlone() {
        LockOptions brief = LockOptions.defaults().withMaxHold(Duration.ofSeconds(5));
        Lease lasting = held(onA.readLock().acquireAsync());
        Lease ending = held(a.client().readWriteLock("x", brief).readLock().acquireAsync());
        world.pass(Duration.ofSeconds(6));
        assertThat(ending.isHeld()).isFalse();
        assertThat(lasting.isHeld()).isTrue();
        lasting.release();
    }

    @Test
    void aFixedLeaseOfAReaderHasAClaimOfItsOwn() {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofSeconds(5));
        Lease lasting = held(onA.readLock().acquireAsync());
        Lease ending = held(a.client().readWriteLock("x", fixed).readLock().acquireAsync());
        assertThat(world.claims("x")).hasSize(2);
        world.pass(Duration.ofSeconds(6));
        assertThat(ending.isHeld()).isFalse();
        assertThat(lasting.isHeld()).isTrue();
        lasting.release();
    }

    @Test
    void aStrangersLeaseIsRefused() {
        Lease other = held(a.lock("y").acquireAsync());
        assertThatThrownBy(() -> onA.downgrade(other))
                .hasMessageContaining("'y'")
                .hasMessageContaining("'x'");
        Lease remote = held(onB.writeLock().acquireAsync());
        assertThatThrownBy(() -> onA.downgrade(remote)).isInstanceOf(IllegalArgumentException.class);
        other.release();
        remote.release();
    }

    @Test
    void aThreadThatWritesMayReadAndGoOnReading() {
        ReentrantDistributedReadWriteLock lock = a.client().reentrantReadWriteLock("x");
        lock.writeLock().lock();
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().lock();
        int sent = a.line().sent.size();
        CompletableFuture<Lease> reader = onB.readLock().acquireAsync();
        lock.writeLock().unlock();
        assertThat(reader).isNotDone();
        lock.writeLock().unlock();
        assertThat(a.line().sent).hasSize(sent + 1);
        held(reader).release();
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
        assertThat(lock.writeLock().tryLock()).isFalse();
        assertThatThrownBy(() -> lock.writeLock().lock())
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining("would wait for itself")
                .hasMessageContaining("read by readWriteLock(name)");
        lock.readLock().unlock();
        lock.readLock().unlock();
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().unlock();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
        lock.writeLock().unlock();
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void whoListensToAReadInsideAWriteIsToldOfItsLossWhenTheWriteHasEnded() {
        ReentrantDistributedReadWriteLock lock = a.client().reentrantReadWriteLock("x");
        List<String> told = new ArrayList<>();
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().lease().onLost(loss -> told.add(loss.getMessage()));
        lock.writeLock().unlock();
        b.client().admin().forceRelease("x");
        assertThat(told).singleElement().asString().contains("'x'");
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(LeaseLostException.class);
    }

    /** A reader's claim is on its way, or the last reader's is leaving: only readers are there. */
    @Test
    void aReadersTryIsNotRefusedWhereOnlyReadersAre() {
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Lease> first = onA.readLock().acquireAsync();
        CompletableFuture<Optional<Lease>> attempt = onA.readLock().tryAcquireAsync();
        CompletableFuture<Optional<Lease>> another = onA.readLock().tryAcquireAsync();
        a.line().up();
        assertThat(attempt).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(another).isCompletedWithValueMatching(Optional::isPresent);
        held(first).release();
        attempt.join().orElseThrow().release();
        another.join().orElseThrow().release();
    }

    @Test
    void aReadersTryIsRefusedWhereAWriterIs() {
        Lease writer = held(onB.writeLock().acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Lease> first = onA.readLock().acquireAsync();
        CompletableFuture<Optional<Lease>> attempt = onA.readLock().tryAcquireAsync();
        a.line().up();
        assertThat(attempt).isCompletedWithValue(Optional.empty());
        writer.release();
        held(first).release();
    }

    /** Both changes were on their way, each as the first one; the answer to the one was taken for the other's. */
    @Test
    void anUpgradeThatFollowsADowngradeAtOnceIsNotTakenForMadeByItsAnswer() {
        Lease writer = held(onA.writeLock().acquireAsync());
        CompletableFuture<Lease> other = onB.readLock().acquireAsync();
        a.line().line = FaultyStore.Line.HELD_BACK;
        Lease reader = onA.downgrade(writer);
        CompletableFuture<Optional<Lease>> upgrade = onA.tryUpgradeAsync(reader);
        a.line().up();
        assertThat(held(other).isHeld()).isTrue();
        assertThat(upgrade).isCompletedWithValue(Optional.empty());
        assertThat(reader.isHeld()).isTrue();
        reader.release();
        other.join().release();
    }

    @Test
    void anUpgradeBehindADowngradeThatWasSentTwiceIsAskedFor() {
        Lease writer = held(onA.writeLock().acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        Lease reader = onA.downgrade(writer);
        world.pass(Duration.ofMillis(2_100));
        CompletableFuture<Optional<Lease>> upgrade = onA.tryUpgradeAsync(reader);
        a.line().up();
        world.pass(Duration.ofSeconds(1));
        assertThat(upgrade).isCompletedWithValueMatching(Optional::isPresent);
        upgrade.join().orElseThrow().release();
    }

    /** It is made after its caller was told that it failed: nobody has it, so it must be undone. */
    @Test
    void anUpgradeThatTheStoreMakesTooLateIsUndone() {
        Lease reader = held(onA.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        assertThatThrownBy(() -> onA.tryUpgrade(reader)).isInstanceOf(StoreUnavailableException.class);
        a.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(reader.isHeld()).isTrue();
        held(onB.readLock().acquireAsync()).release();
        assertThat(reader.release()).isEqualTo(ReleaseOutcome.RELEASED);
        held(onB.writeLock().acquireAsync()).release();
    }

    @Test
    void anUpgradeThatTheStoreDoesNotAnswerFailsItsFutureToo() {
        Lease reader = held(onA.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Optional<Lease>> upgrade = onA.tryUpgradeAsync(reader);
        world.pass(Duration.ofMillis(2_100));
        assertThat(upgrade).isCompletedExceptionally();
        assertThatThrownBy(upgrade::join)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("did not answer in time");
        assertThat(reader.isHeld()).isTrue();
        a.line().up(); // and is made after all
        world.pass(Duration.ofSeconds(3));
        held(onB.readLock().acquireAsync()).release();
        assertThat(reader.release()).isEqualTo(ReleaseOutcome.RELEASED);
        held(onB.writeLock().acquireAsync()).release();
    }

    @Test
    void whoAsksAgainBeforeAnUpgradeIsDecidedIsToldItsOutcome() {
        Lease reader = held(onA.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        assertThatThrownBy(() -> onA.tryUpgrade(reader)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> onA.tryUpgrade(reader))
                .as("nobody else reads")
                .isInstanceOf(StoreUnavailableException.class);
        CompletableFuture<Optional<Lease>> third = onA.tryUpgradeAsync(reader);
        a.line().up();
        world.pass(Duration.ofSeconds(3));
        assertThat(third)
                .isCompletedWithValueMatching(writer -> writer.orElseThrow().isHeld());
        assertThat(onB.readLock().tryAcquire()).isEmpty();
    }

    /** The first one is given up just then, and will be told so in a moment. */
    @Test
    void whoAsksAgainIsToldTheOutcomeThoughTheFirstFutureIsCancelledAtItsLimit() {
        List<Runnable> callbacks = new ArrayList<>();
        Node c = world.client(BelayOptions.defaults().withCallbackExecutor(callbacks::add));
        DistributedReadWriteLock onC = c.client().readWriteLock("x");
        Lease reader = onC.readLock().tryAcquire().orElseThrow();
        c.line().line = FaultyStore.Line.HELD_BACK;
        CompletableFuture<Optional<Lease>> first = onC.tryUpgradeAsync(reader);
        world.pass(Duration.ofMillis(2_100));
        CompletableFuture<Optional<Lease>> second = onC.tryUpgradeAsync(reader);
        assertThat(first.cancel(true)).as("nobody has told it so far").isTrue();
        c.line().up();
        world.pass(Duration.ofSeconds(3));
        List.copyOf(callbacks).forEach(Runnable::run);
        assertThat(second)
                .isCompletedWithValueMatching(writer -> writer.orElseThrow().isHeld());
        second.join().orElseThrow().release();
        c.client().close();
    }

    @Test
    void anUpgradeThatIsCancelledLeavesTheReaderWhatItHas() {
        Lease reader = held(onA.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        onA.tryUpgradeAsync(reader).cancel(true);
        a.line().up();
        assertThat(reader.isHeld()).isTrue();
        held(onB.readLock().acquireAsync()).release();
        assertThat(reader.release()).isEqualTo(ReleaseOutcome.RELEASED);
        held(onB.writeLock().acquireAsync()).release();
    }

    /** As by {@code completeOnTimeout}. */
    @Test
    void anUpgradeWhoseFutureSomebodyElseCompletesLeavesTheReaderWhatItHas() {
        Lease reader = held(onA.readLock().acquireAsync());
        a.line().line = FaultyStore.Line.HELD_BACK;
        onA.tryUpgradeAsync(reader).complete(Optional.empty());
        a.line().up();
        held(onB.readLock().acquireAsync()).release();
        assertThat(reader.release()).isEqualTo(ReleaseOutcome.RELEASED);
        held(onB.writeLock().acquireAsync()).release();
    }

    @Test
    void anUpgradeThatIsMadeIsGivenBackIfSomebodyElseCompletesItsFutureFirst() {
        List<Runnable> callbacks = new ArrayList<>();
        Node c = world.client(BelayOptions.defaults().withCallbackExecutor(callbacks::add));
        DistributedReadWriteLock onC = c.client().readWriteLock("x");
        CompletableFuture<Optional<Lease>> upgrade =
                onC.tryUpgradeAsync(onC.readLock().tryAcquire().orElseThrow());
        assertThat(onB.readLock().tryAcquire()).as("the premise: it is made").isEmpty();
        upgrade.complete(Optional.empty());
        List.copyOf(callbacks).forEach(Runnable::run);
        held(onB.writeLock().acquireAsync()).release();
        c.client().close();
    }

    @Test
    void aThreadThatLostItsLeaseIsToldAtEachUnlock() {
        ReentrantDistributedReadWriteLock lock = a.client().reentrantReadWriteLock("x");
        lock.writeLock().lock();
        lock.readLock().lock();
        b.client().admin().forceRelease("x");
        assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(LeaseLostException.class);
    }
}
