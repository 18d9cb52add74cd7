package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who runs may come before who is being woken up, and nobody else may come before anybody. */
class BargingTest {
    private static final Duration LONG_SLICE = Duration.ofMinutes(1);

    private final Belay belay = Belay.connect("memory:" + UUID.randomUUID());

    @AfterEach
    void close() {
        belay.close();
    }

    /** A thread that waits for the lock, and is known to. */
    private CompletableFuture<Lease> waiting(DistributedLock lock, int before) {
        CompletableFuture<Lease> had = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                had.complete(lock.acquire());
            } catch (InterruptedException e) {
                had.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> belay.admin().inspect(lock.name()).claims().get(0).localWaiters() == before + 1
                        && thread.getState() == Thread.State.WAITING);
        return had;
    }

    @Test
    void aWaiterGetsItAlthoughAnotherThreadTakesItAgainAndAgain() throws Exception {
        DistributedLock lock = belay.lock("x", LockOptions.defaults().withSlice(LONG_SLICE));
        Lease lease = lock.acquire();
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(waiting(lock, i));
        }
        AtomicBoolean ends = new AtomicBoolean();
        CompletableFuture<Long> greedy = CompletableFuture.supplyAsync(() -> {
            long times = 0;
            Lease own = lease;
            while (!ends.get()) {
                own.release();
                own = lock.acquireAsync().join();
                times++;
            }
            own.release();
            return times;
        });
        for (CompletableFuture<Lease> waiter : waiters) {
            waiter.get(Pace.seconds(), TimeUnit.SECONDS).close();
        }
        ends.set(true);
        assertThat(greedy.get(Pace.seconds(), TimeUnit.SECONDS)).isPositive();
    }

    @Test
    void withoutBargingAThreadThatComesLaterWaits() throws Exception {
        DistributedLock lock =
                belay.lock("x", LockOptions.defaults().withSlice(LONG_SLICE).withBarging(false));
        for (int i = 0; i < 50; i++) {
            Lease lease = lock.acquire();
            CompletableFuture<Lease> waiter = waiting(lock, 0);
            lease.release();
            assertThat(lock.tryAcquire()).as("the lock was handed on").isEmpty();
            waiter.get(Pace.seconds(), TimeUnit.SECONDS).close();
        }
    }

    @Test
    void afterALongHoldAThreadThatComesLaterWaits() throws Exception {
        DistributedLock lock = belay.lock("x", LockOptions.defaults().withSlice(Duration.ofMillis(40)));
        Lease lease = lock.acquire();
        CompletableFuture<Lease> waiter = waiting(lock, 0);
        TimeUnit.MILLISECONDS.sleep(10);
        lease.release();
        assertThat(lock.tryAcquire()).as("the lock was handed on").isEmpty();
        waiter.get(Pace.seconds(), TimeUnit.SECONDS).close();
    }

    @Test
    void aWaiterThatGivesUpAsItIsWokenPassesTheLockOn() throws Exception {
        DistributedLock lock = belay.lock("x", LockOptions.defaults().withSlice(LONG_SLICE));
        for (int i = 0; i < 50; i++) {
            Lease lease = lock.acquire();
            Thread interrupted = new Thread(() -> {
                try {
                    lock.acquire().close();
                } catch (InterruptedException e) {
                    // as it should be, unless it was had first
                }
            });
            interrupted.start();
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> belay.admin().inspect("x").claims().get(0).localWaiters() == 1);
            CompletableFuture<Lease> second = waiting(lock, 1);
            interrupted.interrupt();
            lease.release();
            second.get(Pace.seconds(), TimeUnit.SECONDS).close();
            interrupted.join();
        }
    }

    @Test
    void aReleaseThatIsNotAwaitedIsToldLater() throws Exception {
        DistributedLock lock = belay.lock("x");
        Lease lease = lock.acquire();
        CompletableFuture<ReleaseOutcome> told = lease.releaseAsync();
        assertThat(lease.isHeld()).isFalse();
        assertThat(told.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.releaseAsync().get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
        Lease lost = lock.acquire();
        belay.admin().forceRelease("x");
        assertThat(lost.releaseAsync().get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    /** To hand it to a thread costs several times as much as the release itself. */
    @Test
    void aReleaseWhoseOutcomeIsKnownAtOnceNeedsNoCallbackExecutor() throws Exception {
        BelayOptions options = BelayOptions.defaults().withCallbackExecutor(task -> {});
        try (Belay deaf = Belay.connect("memory:" + UUID.randomUUID(), options)) {
            Lease lease = deaf.lock("x", LockOptions.defaults().withSticky(LONG_SLICE))
                    .acquire();
            assertThat(lease.releaseAsync()).isCompletedWithValue(ReleaseOutcome.RELEASED);
        }
    }
}
