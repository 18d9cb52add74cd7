package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.BelayException;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReentrantDistributedLock;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of {@link java.util.concurrent.locks.Lock}, to the letter. */
abstract class ReentrantContract extends TwoClients {
    private ReentrantDistributedLock lock;

    @BeforeEach
    void name() {
        lock = a.reentrantLock("x");
    }

    /** Returns whether others could have the lock. */
    private boolean isFree() {
        return b.lock("x")
                .tryAcquire()
                .map(lease -> lease.release() == ReleaseOutcome.RELEASED)
                .orElse(false);
    }

    private static <T> T elsewhere(Callable<T> body) {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return body.call();
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .join();
    }

    /** Asserts that another thread does not get the lock; a busy machine may leave so short a try unanswered. */
    private void isNotHad(Callable<Boolean> attempt) {
        assertThat(answered(() -> elsewhere(attempt))).isFalse();
    }

    @Test
    void aThreadLocksAgainThroughAnyObjectOfThatNameAndUnlocksAsOften() {
        lock.lock();
        ReentrantDistributedLock same = a.reentrantLock("x");
        assertThat(same.tryLock()).isTrue();
        assertThat(lock.getHoldCount()).isEqualTo(2);
        same.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat((boolean) elsewhere(() -> lock.tryLock())).isFalse();
        assertThat(isFree()).isFalse();
        lock.unlock();
        assertThat(isFree()).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
        assertThat(elsewhere(() -> {
                    boolean had = lock.tryLock();
                    lock.unlock();
                    return had;
                }))
                .isTrue();
    }

    @Test
    void whatWasUnlockedThroughAnotherObjectIsLockedAfresh() {
        ReentrantDistributedLock same = a.reentrantLock("x");
        lock.lock();
        same.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        assertThat(same.isHeldByCurrentThread()).isTrue();
        same.unlock();
        assertThat((boolean) elsewhere(() -> {
                    boolean had = lock.tryLock();
                    lock.unlock();
                    return had;
                }))
                .isTrue();
    }

    @Test
    void onlyItsOwnerMayUnlock() {
        lock.lock();
        assertThatThrownBy(() -> elsewhere(() -> {
                    lock.unlock();
                    return null;
                }))
                .hasCauseInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("does not hold the lock 'x': who locked it unlocks it");
        assertThat(elsewhere(lock::isHeldByCurrentThread)).isFalse();
        assertThat(elsewhere(lock::getHoldCount)).isZero();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(lock::lease).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void lockKeepsAnInterruptForLaterAndWaitsOn() throws Exception {
        lock.lock();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread waiter = new Thread(() -> {
            lock.lock();
            interrupted.set(Thread.currentThread().isInterrupted());
            lock.unlock();
        });
        waiter.start();
        eventually().until(() -> waiter.getState() == Thread.State.WAITING);
        waiter.interrupt();
        assertThat((boolean) elsewhere(() -> lock.tryLock())).isFalse();
        assertThat(waiter.isAlive()).isTrue();
        lock.unlock();
        waiter.join();
        assertThat(interrupted).isTrue();
    }

    @Test
    void lockInterruptiblyAndTimedTryLockThrowAtOnceIfInterruptedBefore() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThat(lock.tryLock()).isTrue(); // tryLock does not look at interrupts
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        lock.unlock();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptedWaitLeavesTheQueue() throws Exception {
        lock.lock();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                lock.lockInterruptibly();
                thrown.complete(new AssertionError("it had the lock"));
            } catch (Throwable e) {
                thrown.complete(e);
            }
        });
        waiter.start();
        eventually().until(() -> a.admin().inspect("x").claims().get(0).localWaiters() == 1);
        waiter.interrupt();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(a.admin().inspect("x").claims().get(0).localWaiters()).isZero();
        lock.unlock();
    }

    @Test
    void aTimedTryLockGivesUpAfterItsTimeAndTakesNegativeTimesAsNone() throws Exception {
        lock.lock();
        isNotHad(() -> lock.tryLock(20, TimeUnit.MILLISECONDS));
        isNotHad(() -> lock.tryLock(-1, TimeUnit.DAYS));
        if (spec.leasePerClaim()) {
            isNotHad(() -> lock.tryLock(Duration.ofMillis(-5), Duration.ofSeconds(1)));
        }
        assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        lock.unlock();
        lock.unlock();
    }

    @Test
    void afterALossLockingAgainThrowsAndEachUnlockSaysSo() {
        lock.lock();
        lock.lock();
        Lease lease = lock.lease();
        a.admin().forceRelease("x");
        eventually().until(() -> !lease.isHeld());
        assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class).hasMessageContaining("unlock first");
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isEqualTo(2);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class).isInstanceOf(BelayException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        lock.lock();
        lock.unlock();
    }

    @Test
    void aFixedLeaseEndsByItself() throws Exception {
        assumeLeasePerClaim();
        lock.lock(premise.lease());
        Duration left = lock.lease().remaining();
        premise.holds(!left.isZero(), "a fixed lease that has just begun is held");
        assertThat(left).isLessThanOrEqualTo(premise.lease());
        AtomicBoolean lost = new AtomicBoolean();
        lock.lease().onLost(loss -> lost.set(true));
        eventually().untilTrue(lost);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(lock.tryLock(Duration.ofSeconds(soon()), lease(Duration.ofMinutes(5))))
                .isTrue();
        lock.unlock();
    }

    @Test
    void aTryThatIsNeverUnlockedKeepsTheLockForItsLeaseAndMayBeMadeAgain() throws Exception {
        assumeLeasePerClaim();
        for (int i = 0; i < 2; i++) {
            assertThat(lock.tryLock(Duration.ofSeconds(soon()), premise.lease()))
                    .isTrue();
            Lease lease = lock.lease();
            boolean taken = b.reentrantLock("x").isLocked();
            assertThat(taken || !lease.isHeld()).isTrue();
            premise.holds(taken, "a fixed lease that has just begun is held");
            eventually().until(() -> !lease.isHeld());
        }
        assertThat(lock.tryLock(soon(), TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void whoUnlocksOnlyWhatItHoldsMayLockAgainAfterALoss() {
        for (int i = 0; i < 2; i++) {
            lock.lock();
            Lease lease = lock.lease();
            a.admin().forceRelease("x");
            eventually().until(() -> !lease.isHeld());
            if (lock.isHeldByCurrentThread()) {
                lock.unlock();
            }
        }
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void thereAreNoConditionsAndTheMessageSaysWhy() {
        assertThatThrownBy(lock::newCondition)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("survive the loss");
    }

    @Test
    void zeroAndNegativeLeasesAreRefusedWithTheirValue() {
        assertThatThrownBy(() -> lock.lock(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> lock.lock(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }
}
