package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.LeaseLostException;
import io.belay.LockRefusedException;
import io.belay.LossReason;
import io.belay.ReentrantDistributedLock;
import io.belay.ReentrantDistributedReadWriteLock;
import io.belay.internal.TestWorld.Node;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Levels whose lease is over keep nobody from locking anew, and leave nothing behind. */
class ReentrantLevelsTest {
    private static final Duration BRIEF = Duration.ofMillis(10);

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();
    private final ReentrantDistributedLock lock = a.client().reentrantLock("x");
    private final ReentrantDistributedReadWriteLock both = a.client().reentrantReadWriteLock("y");

    @AfterEach
    void nothingIsLeft() {
        a.client().close();
        b.client().close();
        assertThat(a.size() + b.size()).isZero();
    }

    @Test
    void aTryThatIsNeverUnlockedKeepsOutAllButItsOwnThreadAndMayBeMadeAgainWhenItsLeaseHasEnded() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(lock.tryLock(Duration.ZERO, BRIEF)).isTrue();
            assertThat(b.client().reentrantLock("x").tryLock()).isFalse();
            assertThat(lock.tryLock(Duration.ZERO, BRIEF)).as("a level more").isTrue();
            world.pass(BRIEF);
        }
        assertThat(lock.getHoldCount()).isEqualTo(2);
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
        assertThat(lock.getHoldCount()).isZero();
    }

    @Test
    void anUnlockAfterAFixedLeaseSaysThatItHasEnded() {
        lock.lock(BRIEF);
        world.pass(BRIEF);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void whoAsksWhetherItHoldsTheLockIsToldOfTheLossByThat() {
        lock.lock();
        b.client().admin().forceRelease("x");
        if (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
    }

    /** Else it would be held, and renewed, for as long as its client lives. */
    @Test
    void whoUnlocksOnlyWhatItHoldsLeavesNoLockBehindWhereNobodyKnowsWhetherItIsHeld() throws Exception {
        for (ReentrantDistributedLock its : List.of(lock, both.readLock(), both.writeLock())) {
            its.lock();
            world.time.suspend(Duration.ofSeconds(5));
            if (its.isHeldByCurrentThread()) {
                its.unlock();
            }
            assertThat(its.getHoldCount()).isZero();
            assertThat(its.isHeldByCurrentThread()).isFalse();
        }
        world.pass(Duration.ofSeconds(1));
        assertThat(b.client().reentrantLock("x").tryLock(Duration.ZERO, BRIEF)).isTrue();
        assertThat(b.client().reentrantReadWriteLock("y").writeLock().tryLock(Duration.ZERO, BRIEF))
                .isTrue();
    }

    /** Else the unlock of the write would leave a read lock that nobody knows of. */
    @Test
    void aReadInsideAWriteThatCouldNotBeNotedIsNotThere() {
        ReentrantDistributedLock other = a.client().reentrantReadWriteLock("z").readLock();
        other.lock();
        both.writeLock().lock();
        world.failIn("ReentrantLocks.add", 0);
        assertThatThrownBy(() -> both.readLock().lock()).isInstanceOf(NoClassDefFoundError.class);
        both.writeLock().unlock();
        ReentrantDistributedLock free = b.client().reentrantReadWriteLock("y").writeLock();
        assertThat(free.tryLock()).isTrue();
        free.unlock();
        other.unlock();
    }

    @Test
    void whoHasOnlyAskedIsStillToldByTheUnlock() {
        lock.lock();
        b.client().admin().forceRelease("x");
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void anUnlockAfterALossTellsLockTokenAndReason() {
        lock.lock();
        long token = lock.lease().token();
        b.client().admin().forceRelease("x");
        assertThatThrownBy(lock::unlock).isInstanceOfSatisfying(LeaseLostException.class, lost -> {
            assertThat(lost.name()).isEqualTo("x");
            assertThat(lost.token()).isEqualTo(token);
            assertThat(lost.reason()).contains(LossReason.FORCED);
            assertThat(lost.isReleased()).isFalse();
            assertThat(lost.isUnsure()).isFalse();
            assertThat(lost).hasMessageContaining("'x'").hasMessageContaining("token " + token);
        });
    }

    @Test
    void theFirstAskAfterALossTellsItAndTheNextBeginsAnew() {
        lock.lock();
        b.client().admin().forceRelease("x");
        assertThatThrownBy(lock::tryLock).isInstanceOf(LeaseLostException.class).hasMessageContaining("unlock first");
        assertThat(lock.getHoldCount()).isEqualTo(1);
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aLossIsToldOnceToWhoHasWrittenAndReadByOneLease() {
        for (ReentrantDistributedLock first : List.of(both.writeLock(), both.readLock())) {
            both.writeLock().lock();
            both.readLock().lock();
            b.client().admin().forceRelease("y");
            assertThatThrownBy(first::tryLock).isInstanceOf(LeaseLostException.class);
            assertThat(first.tryLock()).isTrue();
            first.unlock();
            assertThat(a.levels()).isLessThan(2);
        }
    }

    @Test
    void levelsThatWereForgottenThroughOneObjectAreForgottenForAll() {
        ReentrantDistributedLock same = a.client().reentrantLock("x");
        lock.lock();
        b.client().admin().forceRelease("x");
        assertThat(same.isHeldByCurrentThread()).isFalse();
        same.lock();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
        assertThat(same.getHoldCount()).isZero();
    }

    @Test
    void levelsThatWereCollectedAreForgottenByTheObjectThatMadeThem() throws Exception {
        ReentrantDistributedLock same = a.client().reentrantLock("x");
        assertThat(lock.tryLock(Duration.ZERO, BRIEF)).isTrue();
        world.pass(Duration.ofSeconds(62));
        for (int i = 0; i < 3; i++) { // each pays for a look at some others
            a.client().reentrantLock("z" + i).lock();
        }
        same.lock();
        assertThat(a.levels()).isEqualTo(4);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.tryLock()).isTrue();
        assertThat(same.getHoldCount()).isEqualTo(2);
        lock.unlock();
        same.unlock();
        for (int i = 0; i < 3; i++) {
            a.client().reentrantLock("z" + i).unlock();
        }
        assertThat(a.levels()).isZero();
    }

    @Test
    void aReaderThatWasTheWriterIsToldForAMinuteAfterItsLoss() {
        ReentrantDistributedLock other = a.client().reentrantReadWriteLock("z").readLock();
        both.writeLock().lock();
        both.readLock().lock();
        world.pass(Duration.ofSeconds(61));
        both.writeLock().unlock();
        b.client().admin().forceRelease("y");
        assertThat(both.readLock().isHeldByCurrentThread()).isFalse();
        other.lock(); // pays for a look at some others
        other.unlock();
        assertThatThrownBy(both.readLock()::unlock).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aLeaseThatWasReleasedByItselfIsLockedAnew() {
        lock.lock();
        lock.lease().release();
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
    }

    @Test
    void aReaderThatTriesToWriteIsToldNoAtOnce() throws Exception {
        both.readLock().lock();
        assertThat(both.writeLock().tryLock()).isFalse();
        assertThat(both.writeLock().tryLock(1, TimeUnit.DAYS)).isFalse();
        assertThat(both.writeLock().tryLock(Duration.ofDays(1), BRIEF)).isFalse();
        assertThatThrownBy(() -> both.writeLock().lock())
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining("Give the read lock back first");
        assertThatThrownBy(() -> both.writeLock().lockInterruptibly()).isInstanceOf(LockRefusedException.class);
        both.readLock().unlock();
        assertThat(both.writeLock().tryLock()).isTrue();
        both.writeLock().unlock();
    }

    @Test
    void whoHasLostWhatItReadsIsToldSoAndMayThenWrite() {
        both.readLock().lock();
        b.client().admin().forceRelease("y");
        assertThatThrownBy(() -> both.writeLock().lock())
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("lost");
        assertThat(both.writeLock().tryLock()).isTrue();
        assertThat(both.readLock().getHoldCount()).isZero();
        both.writeLock().unlock();
    }

    @Test
    void whoHasLostWhatItWritesIsToldSoAndMayThenRead() {
        both.writeLock().lock();
        b.client().admin().forceRelease("y");
        assertThatThrownBy(() -> both.readLock().lock()).isInstanceOf(LeaseLostException.class);
        both.readLock().lock();
        assertThat(both.writeLock().getHoldCount()).isZero();
        both.readLock().unlock();
    }

    @Test
    void theLevelsOfThreadsThatHaveEndedAreCollected() throws Exception {
        for (int i = 0; i < 100; i++) {
            ReentrantDistributedLock other = a.client().reentrantLock("x" + i);
            Thread thread = new Thread(() -> {
                other.lock(BRIEF);
                other.lock();
            });
            thread.start();
            thread.join();
        }
        assertThat(a.levels()).as("collected on the way").isLessThan(10);
        for (int i = 0; i < 3; i++) {
            lock.lock();
            lock.unlock();
        }
        lock.lock();
        assertThat(a.levels()).isEqualTo(1);
        assertThat(a.client().admin().holds())
                .as("what the threads held is held on")
                .hasSize(101);
        lock.unlock();
        world.pass(BRIEF);
        assertThat(a.client().admin().holds()).isEmpty();
    }

    /** Lets the minute pass for which an unlock can still be told, and has the levels of a hundred leases looked at. */
    private void awaitCollection() {
        world.pass(Duration.ofSeconds(50));
        lock.lock();
        lock.unlock();
        assertThat(a.levels()).as("an unlock could still be told").isEqualTo(100);
        world.pass(Duration.ofSeconds(11));
        for (int i = 0; i < 3; i++) { // each pays for a look at some others
            lock.lock();
            lock.unlock();
        }
    }

    @Test
    void theLevelsOfFixedLeasesThatNobodyComesBackForAreCollected() throws Exception {
        for (int i = 0; i < 100; i++) {
            assertThat(a.client().reentrantLock("x" + i).tryLock(Duration.ZERO, BRIEF))
                    .isTrue();
        }
        awaitCollection();
        lock.lock();
        assertThat(a.levels()).isEqualTo(1);
        lock.unlock();
        assertThat(a.levels()).isZero();
    }

    @Test
    void theLevelsOfLeasesThatWereGivenBackByThemselvesAreCollected() {
        for (int i = 0; i < 100; i++) {
            ReentrantDistributedLock other = a.client().reentrantLock("x" + i);
            assertThat(other.tryLock()).isTrue();
            other.lease().releaseAfter(BRIEF);
        }
        awaitCollection();
        lock.lock();
        assertThat(a.levels()).isEqualTo(1);
        lock.unlock();
    }

    @Test
    void theLevelsOfLostLeasesThatNobodyComesBackForAreCollectedOnceTheirThreadIsTold() {
        for (int i = 0; i < 100; i++) {
            ReentrantDistributedLock other = a.client().reentrantLock("x" + i);
            other.lock();
            b.client().admin().forceRelease("x" + i);
            if (i > 0 && other.isHeldByCurrentThread()) { // which is how the documents say that it is left
                other.unlock();
            }
        }
        awaitCollection();
        assertThat(a.levels()).as("of which nobody was told").isEqualTo(1);
        assertThatThrownBy(() -> a.client().reentrantLock("x0").unlock()).isInstanceOf(LeaseLostException.class);
        assertThat(a.levels()).isZero();
    }

    @Test
    void whoAsksSeesWhetherAnybodyHoldsIt() throws Exception {
        ReentrantDistributedLock onB = b.client().reentrantLock("x");
        assertThat(onB.isLocked()).isFalse();
        lock.lockInterruptibly(Duration.ofSeconds(1));
        assertThat(onB.isLocked()).isTrue();
        assertThat(lock.isLocked()).isTrue();
        lock.unlock();
        assertThat(onB.isLocked()).isFalse();
        both.readLock().lock();
        assertThat(both.readLock().isLocked()).as("others may read, too").isFalse();
        assertThat(both.writeLock().isLocked()).isTrue();
        both.readLock().unlock();
        both.writeLock().lock();
        assertThat(b.client().readWriteLock("y").readLock().isLocked()).isTrue();
        both.writeLock().unlock();
    }

    @Test
    void aWriteThatWasGivenBackByItselfIsUnlockedWithoutAWordWhicheverLevelGoesFirst() {
        for (boolean writeFirst : List.of(true, false)) {
            both.writeLock().lock();
            both.readLock().lock();
            both.writeLock().lease().releaseAfter(BRIEF);
            (writeFirst ? both.writeLock() : both.readLock()).unlock();
            (writeFirst ? both.readLock() : both.writeLock()).unlock();
            assertThat(a.levels()).isZero();
            world.pass(BRIEF.multipliedBy(2));
        }
    }
}
