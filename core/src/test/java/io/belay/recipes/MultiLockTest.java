package io.belay.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.servers.Pace;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies that run under several locks. The suite of the stores has tests of what {@code acquire} and its kin do. */
class MultiLockTest {
    private static final Duration WAIT = Duration.ofMillis(50);

    private final String url = "memory:" + UUID.randomUUID();
    private final Belay belay = Belay.connect(url);
    private final Belay other = Belay.connect(url);
    private final Belay elsewhere = Belay.connect("memory:" + UUID.randomUUID());
    private final MultiLock both = MultiLock.of(belay, List.of("b", "a"));
    private boolean ran;

    @AfterEach
    void close() {
        elsewhere.close();
        other.close();
        belay.close();
    }

    private int held() {
        return belay.admin().inspect("a").claims().size()
                + belay.admin().inspect("b").claims().size();
    }

    @Test
    void aBodyRunsUnderAllLocksAndWhatItThrowsIsThrownOn() throws Exception {
        assertThat(both.call(this::held)).isEqualTo(2);
        both.run(() -> ran = held() == 2);
        assertThat(ran).isTrue();
        assertThatThrownBy(() -> both.call(() -> {
                    throw new IllegalStateException("the body's own");
                }))
                .hasMessage("the body's own");
        assertThat(held()).isZero();
    }

    @Test
    void theLossOfOneIsThrownBehindTheBody() {
        assertThatThrownBy(() -> both.run(() -> belay.admin().forceRelease("b")))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> both.call(() -> belay.admin().forceRelease("a")))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> both.tryRun(WAIT, () -> belay.admin().forceRelease("b")))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> both.tryCall(WAIT, () -> belay.admin().forceRelease("a")))
                .isInstanceOf(LeaseLostException.class);
        assertThat(held()).isZero();
    }

    /** A lock that is refused once it is asked for. */
    private DistributedLock refused(String name) {
        return (DistributedLock) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DistributedLock.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "name" -> name;
                        case "hashCode" -> name.hashCode();
                        case "equals" -> proxy == arguments[0];
                        default -> throw new IllegalArgumentException("refused");
                    };
                });
    }

    @Test
    void twoWaysToHoldTheSameAreRefused() throws Exception {
        DistributedReadWriteLock book = belay.readWriteLock("a");
        DistributedSemaphore seats = belay.semaphore("b", 3);
        for (List<DistributedLock> same : List.of(
                List.of(book.readLock(), other.lock("a"), book.writeLock()),
                List.of(belay.lock("a"), book.readLock()),
                List.of(seats.permits(1), seats.permits(2)))) {
            assertThatThrownBy(() -> MultiLock.of(same))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + same.get(0).name() + "'");
        }
        MultiLock.of(belay.lock("a"), book.writeLock(), seats.permits(1), seats.permits(1))
                .run(() -> ran = held() == 2);
        assertThat(ran).isTrue();
    }

    @Test
    void aLockThatIsRefusedBehindOthersFailsTheFuture() throws Exception {
        MultiLock all = MultiLock.of(List.of(belay.lock("a"), refused("b")));
        Lease theirs = other.lock("a").acquire();
        CompletableFuture<MultiLease> future = all.acquireAsync();
        theirs.release();
        assertThatThrownBy(() -> future.get(Pace.seconds(), TimeUnit.SECONDS)).hasMessageContaining("refused");
        other.lock("a").acquire().release();
    }

    @Test
    void aBodyDoesNotRunWhileOthersHaveOneOfThem() throws Exception {
        try (Lease theirs = other.lock("b").acquire()) {
            assertThat(both.tryRun(WAIT, () -> ran = true)).isFalse();
            assertThat(both.tryRun(Duration.ZERO, () -> ran = true)).isFalse();
            assertThat(both.tryCall(WAIT, () -> ran = true)).isEmpty();
            assertThat(theirs.isHeld()).isTrue();
        }
        assertThat(ran).isFalse();
        assertThat(both.tryRun(WAIT, () -> ran = held() == 2)).isTrue();
        assertThat(ran).isTrue();
        assertThat(both.tryCall(WAIT, this::held)).contains(2);
        assertThatThrownBy(() -> both.tryCall(WAIT, () -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("what the body returned");
        assertThat(held()).isZero();
    }

    @Test
    void aTryThatNobodyWaitsForKeepsNoneWhileOthersHaveOneOfThem() throws Exception {
        List<Supplier<CompletableFuture<Optional<MultiLease>>>> ways =
                List.of(both::tryAcquireAsync, () -> both.tryAcquireAsync(WAIT));
        try (Lease theirs = other.lock("b").acquire()) {
            for (Supplier<CompletableFuture<Optional<MultiLease>>> way : ways) {
                assertThat(way.get().get(Pace.seconds(), TimeUnit.SECONDS)).isEmpty();
                await().atMost(Pace.patience())
                        .until(() -> belay.admin().inspect("a").claims().isEmpty());
            }
            assertThat(theirs.isHeld()).isTrue();
        }
        for (Supplier<CompletableFuture<Optional<MultiLease>>> way : ways) {
            try (MultiLease lease =
                    way.get().get(Pace.seconds(), TimeUnit.SECONDS).orElseThrow()) {
                assertThat(held()).isEqualTo(2);
                assertThat(lease.isHeld()).isTrue();
            }
        }
        assertThat(held()).isZero();
    }

    /** A lock that takes its time at each try, and notes for how long it may wait. */
    private DistributedLock slow(String name, List<Duration> waits) {
        DistributedLock real = belay.lock(name);
        return (DistributedLock) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DistributedLock.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("tryAcquire")) {
                        waits.add((Duration) arguments[0]);
                        long end = System.nanoTime() + WAIT.toNanos();
                        while (System.nanoTime() < end) {
                            LockSupport.parkNanos(end - System.nanoTime());
                        }
                    }
                    return method.invoke(real, arguments);
                });
    }

    @Test
    void aTimeIsThatOfAllTogether() throws Exception {
        Duration all = Duration.ofHours(1);
        List<Duration> waits = new ArrayList<>();
        MultiLock slow = MultiLock.of(slow("a", waits), slow("b", waits));
        slow.tryAcquire(all).orElseThrow().close();
        slow.tryAcquireAsync(all)
                .get(Pace.seconds(), TimeUnit.SECONDS)
                .orElseThrow()
                .close();
        assertThat(waits).hasSize(4).allMatch(wait -> wait.compareTo(all) <= 0);
        assertThat(List.of(waits.get(1), waits.get(3))).allMatch(wait -> wait.compareTo(all.minus(WAIT)) <= 0);
    }

    @Test
    void allAreHeldForAsLongAsTheOneThatEndsFirst() throws Exception {
        LockOptions fixed = LockOptions.defaults().withFixedLease(Duration.ofHours(1));
        MultiLock all =
                MultiLock.of(belay.lock("a", fixed), belay.lock("b", fixed.withFixedLease(Duration.ofHours(2))));
        MultiLease lease = all.acquire();
        assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(Duration.ofHours(1));
        lease.ensureHeld();
        other.admin().forceRelease("a");
        await().atMost(Pace.patience()).until(() -> !lease.isHeld());
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }

    @Test
    void locksOfDifferentStoresAreHadAllOrNoneAndTheLossOfOneIsTold() throws Exception {
        MultiLock all = MultiLock.of(elsewhere.lock("b"), belay.lock("a"), elsewhere.lock("a"));
        try (Lease theirs = elsewhere.lock("b").acquire()) {
            assertThat(all.tryAcquire()).isEmpty();
            assertThat(theirs.isHeld()).isTrue();
        }
        assertThat(held()).isZero();
        MultiLease lease = all.acquire();
        assertThat(lease.leases()).extracting(Lease::name).containsExactly("a", "a", "b");
        CompletableFuture<LeaseLostException> told = new CompletableFuture<>();
        lease.onLost(told::complete);
        elsewhere.admin().forceRelease("a");
        assertThat(told.get(Pace.seconds(), TimeUnit.SECONDS).name()).isEqualTo("a");
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(held()).isZero();
        assertThat(elsewhere.lock("b").tryAcquire()).isPresent();
    }

    @Test
    void locksOfOneNameOnDifferentStoresAreTakenInTheOrderGiven() throws Exception {
        CompletableFuture<MultiLease> hereFirst;
        try (Lease theirs = elsewhere.lock("a").acquire()) {
            CompletableFuture<MultiLease> thereFirst =
                    MultiLock.of(elsewhere.lock("a"), belay.lock("a")).acquireAsync();
            assertThat(held()).isZero();
            thereFirst.cancel(true);
            hereFirst = MultiLock.of(belay.lock("a"), elsewhere.lock("a")).acquireAsync();
            await().until(() -> held() == 1);
            assertThat(theirs.isHeld()).isTrue();
        }
        assertThat(hereFirst.get(Pace.seconds(), TimeUnit.SECONDS).release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void aReleaseThatNobodyWaitsForTellsTheWorstOfAll() throws Exception {
        assertThat(both.acquire().releaseAsync().get(Pace.seconds(), TimeUnit.SECONDS))
                .isEqualTo(ReleaseOutcome.RELEASED);
        MultiLease lost = both.acquire();
        belay.admin().forceRelease("b");
        assertThat(lost.releaseAsync().get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThat(held()).isZero();
    }
}
