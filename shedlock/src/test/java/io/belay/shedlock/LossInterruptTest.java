package io.belay.shedlock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Proof;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The job's thread is interrupted when its lock is lost, and its next job is left alone. */
class LossInterruptTest {
    private static final int ROUNDS = Proof.times(200, 2_000);

    private final Belay belay = Belay.connect("memory:interrupts");
    private final BelayLockProvider provider = BelayLockProvider.of(belay).withInterruptOnLoss();

    @AfterEach
    void close() {
        Thread.interrupted();
        belay.close();
    }

    private static Optional<SimpleLock> tryLock(BelayLockProvider provider, Duration atMost) {
        return provider.lock(new LockConfiguration(ClockProvider.now(), "job", atMost, Duration.ZERO));
    }

    private static SimpleLock lock(BelayLockProvider provider, Duration atMost) {
        return tryLock(provider, atMost).orElseThrow();
    }

    @Test
    void aLossInterruptsTheJobAndItsUnlockClearsNothingThatWasNoticed() {
        SimpleLock lock = lock(provider, Duration.ofMinutes(5));
        belay.admin().forceRelease("shedlock:job");
        assertThatThrownBy(() -> new CountDownLatch(1).await(Pace.seconds(), SECONDS))
                .isInstanceOf(InterruptedException.class);
        lock.unlock();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aJobThatTakesTooLongIsInterrupted() throws Exception {
        Premise.withLease(Duration.ofMillis(200), atMost -> {
            Optional<SimpleLock> lock = Premise.answered(() -> tryLock(provider, atMost));
            Premise.check(lock.isPresent(), "a lock's end comes after the answer that it is had");
            assertThatThrownBy(() -> new CountDownLatch(1).await(Pace.seconds(), SECONDS))
                    .isInstanceOf(InterruptedException.class);
            lock.orElseThrow().unlock();
        });
    }

    @Test
    void anExtendedLockStillInterrupts() {
        SimpleLock lock = lock(provider, Duration.ofMinutes(5))
                .extend(Duration.ofMinutes(6), Duration.ZERO)
                .orElseThrow();
        belay.admin().forceRelease("shedlock:job");
        assertThatThrownBy(() -> new CountDownLatch(1).await(Pace.seconds(), SECONDS))
                .isInstanceOf(InterruptedException.class);
        lock.unlock();
    }

    @Test
    void withoutTheOptionNobodyIsInterrupted() {
        SimpleLock lock = lock(BelayLockProvider.of(belay), Duration.ofMinutes(5));
        belay.admin().forceRelease("shedlock:job");
        assertThat(lock.extend(Duration.ofMinutes(5), Duration.ZERO)).isEmpty();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        lock.unlock();
    }

    /** The job is over when its loss is told: the interrupt is taken back, or comes not at all. */
    @Test
    void noInterruptOutlivesTheUnlock() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        for (int i = 0; i < ROUNDS; i++) {
            LossInterrupt interrupt = new LossInterrupt(Thread.currentThread());
            CompletableFuture<Void> loss = CompletableFuture.runAsync(() -> {
                cross(barrier);
                interrupt.lost();
            });
            cross(barrier);
            interrupt.end();
            assertThat(Thread.interrupted()).as("round " + i).isFalse();
            loss.get();
            assertThat(Thread.interrupted()).as("later, round " + i).isFalse();
        }
    }

    private static void cross(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theInterruptOfSomebodyElseStays() {
        LossInterrupt interrupt = new LossInterrupt(Thread.currentThread());
        Thread.currentThread().interrupt();
        interrupt.lost();
        interrupt.end();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void theUnlockOnAnotherThreadEndsInterruptsToo() throws Exception {
        LossInterrupt interrupt = new LossInterrupt(Thread.currentThread());
        CompletableFuture.runAsync(interrupt::end).get();
        interrupt.lost();
        assertThat(Thread.interrupted()).isFalse();
    }
}
