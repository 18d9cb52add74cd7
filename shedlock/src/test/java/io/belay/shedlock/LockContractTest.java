package io.belay.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.StoreUnavailableException;
import io.belay.servers.Premise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The provider does what ShedLock asks of one, for two nodes on each kind of store. */
@Tag("drivers")
@Tag("long")
class LockContractTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int THREADS = 8;
    private static final int TURNS = 25;

    private final String job = "job-" + UUID.randomUUID();
    private final List<Belay> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Belay::close);
    }

    private BelayLockProvider node(TestStore store) throws Exception {
        Belay belay = Belay.connect(store.url());
        clients.add(belay);
        return BelayLockProvider.of(belay);
    }

    private LockConfiguration configuration(Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), job, atMost, atLeast);
    }

    private Optional<SimpleLock> tryLock(BelayLockProvider node, Duration atMost, Duration atLeast) throws Exception {
        return Premise.answered(() -> node.lock(configuration(atMost, atLeast)));
    }

    private SimpleLock lock(BelayLockProvider node, Duration atMost, Duration atLeast) throws Exception {
        return tryLock(node, atMost, atLeast).orElseThrow();
    }

    /** What ends so soon may do so before the answer is there that it was had: then nothing was. */
    private static SimpleLock inTime(Optional<SimpleLock> lock) {
        Premise.check(lock.isPresent(), "a lock's end comes after the answer that it is had");
        return lock.orElseThrow();
    }

    /** Returns whether somebody has the lock, and not whether this test could get it. */
    private boolean isLocked() {
        return !clients.get(0).admin().inspect("shedlock:" + job).claims().isEmpty();
    }

    private void awaitFree(BelayLockProvider node) {
        SimpleLock had = await().until(() -> tryLock(node, LONG, Duration.ZERO), Optional::isPresent)
                .orElseThrow();
        had.unlock();
    }

    @ParameterizedTest
    @EnumSource
    void oneNodeAtATimeHasTheLock(TestStore store) throws Exception {
        BelayLockProvider one = node(store);
        BelayLockProvider other = node(store);
        for (int i = 0; i < 10; i++) {
            SimpleLock lock = lock(one, LONG, Duration.ZERO);
            assertThat(isLocked()).isTrue();
            assertThat(tryLock(one, LONG, Duration.ZERO)).isEmpty();
            assertThat(tryLock(other, LONG, Duration.ZERO)).isEmpty();
            lock.unlock();
            assertThat(isLocked()).isFalse();
        }
        lock(other, LONG, Duration.ZERO).unlock();
    }

    @ParameterizedTest
    @EnumSource
    void locksOfOtherNamesAreFree(TestStore store) throws Exception {
        BelayLockProvider node = node(store);
        SimpleLock one = lock(node, LONG, Duration.ZERO);
        SimpleLock other = Premise.answered(() ->
                        node.lock(new LockConfiguration(ClockProvider.now(), job + "-other", LONG, Duration.ZERO)))
                .orElseThrow();
        one.unlock();
        other.unlock();
    }

    @ParameterizedTest
    @EnumSource
    void aLockEndsAtMostThen(TestStore store) throws Exception {
        BelayLockProvider node = node(store);
        Premise.withLease(Duration.ofMillis(500), atMost -> {
            long before = System.nanoTime();
            SimpleLock lock = inTime(tryLock(node, atMost, Duration.ZERO));
            awaitFree(node(store));
            assertThat(System.nanoTime() - before)
                    .isGreaterThanOrEqualTo(atMost.minusMillis(10).toNanos());
            lock.unlock();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLockEndsNoEarlierThanAtLeastThen(TestStore store) throws Exception {
        BelayLockProvider node = node(store);
        BelayLockProvider other = node(store);
        long before = System.nanoTime();
        lock(node, LONG, Duration.ofSeconds(1)).unlock();
        awaitFree(other);
        assertThat(System.nanoTime() - before)
                .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());

        before = System.nanoTime();
        lock(node, LONG, Duration.ofSeconds(1)).unlock();
        awaitFree(node);
        assertThat(System.nanoTime() - before)
                .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatClosesFreesNothingEarlier(TestStore store) throws Exception {
        BelayLockProvider other = node(store);
        for (boolean unlocked : new boolean[] {true, false}) {
            long before = System.nanoTime();
            try (Belay closing = Belay.connect(store.url())) {
                SimpleLock lock = lock(BelayLockProvider.of(closing), LONG, Duration.ofSeconds(1));
                if (unlocked) {
                    lock.unlock();
                }
            }
            awaitFree(other);
            assertThat(System.nanoTime() - before)
                    .as("unlocked: " + unlocked)
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExtendedLockOutlivesItsFirstEnd(TestStore store) throws Exception {
        BelayLockProvider node = node(store);
        BelayLockProvider other = node(store);
        SimpleLock first = lock(node, Duration.ofSeconds(3), Duration.ZERO);
        long soonest = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        SimpleLock extended = first.extend(Duration.ofSeconds(5), Duration.ZERO).orElseThrow();
        assertThatThrownBy(first::unlock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(job);
        assertThatThrownBy(() -> first.extend(LONG, Duration.ZERO)).isInstanceOf(IllegalStateException.class);
        awaitFree(other);
        assertThat(System.nanoTime())
                .isGreaterThan(soonest - Duration.ofMillis(100).toNanos());
        extended.unlock();
    }

    @ParameterizedTest
    @EnumSource
    void anExtensionCanKeepTheLockAfterItsUnlock(TestStore store) throws Exception {
        SimpleLock first = lock(node(store), LONG, Duration.ZERO);
        long before = System.nanoTime();
        first.extend(LONG, Duration.ofSeconds(1)).orElseThrow().unlock();
        awaitFree(node(store));
        assertThat(System.nanoTime() - before)
                .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @ParameterizedTest
    @EnumSource
    void aFurtherExtensionFreesTheLockNoEarlier(TestStore store) throws Exception {
        SimpleLock first = lock(node(store), LONG, Duration.ZERO);
        long before = System.nanoTime();
        SimpleLock kept = first.extend(LONG, Duration.ofSeconds(1)).orElseThrow();
        kept.extend(LONG, Duration.ZERO).orElseThrow().unlock();
        awaitFree(node(store));
        assertThat(System.nanoTime() - before)
                .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @ParameterizedTest
    @EnumSource
    void anExtensionCanBringTheEndForward(TestStore store) throws Exception {
        Premise.withLease(Duration.ofMillis(300), atMost -> {
            SimpleLock first = lock(node(store), LONG, Duration.ZERO);
            SimpleLock extended = inTime(first.extend(atMost, Duration.ZERO));
            awaitFree(node(store));
            extended.unlock();
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatIsOverCannotBeExtended(TestStore store) throws Exception {
        BelayLockProvider node = node(store);
        SimpleLock unlocked = lock(node, LONG, Duration.ZERO);
        unlocked.unlock();
        assertThatThrownBy(() -> unlocked.extend(LONG, Duration.ZERO)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(unlocked::unlock).isInstanceOf(IllegalStateException.class);
        assertThat(isLocked()).isFalse();

        Premise.withLease(Duration.ofMillis(100), atMost -> {
            SimpleLock expired = inTime(tryLock(node, atMost, Duration.ZERO));
            awaitFree(node(store));
            assertThat(expired.extend(LONG, Duration.ZERO)).isEmpty();
            assertThat(isLocked()).isFalse();
            expired.unlock();
        });
    }

    @ParameterizedTest
    @EnumSource
    void manyThreadsTakeTurns(TestStore store) throws Exception {
        BelayLockProvider one = node(store);
        BelayLockProvider other = node(store);
        int[] count = new int[1];
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                BelayLockProvider node = i % 2 == 0 ? one : other;
                ends.add(threads.submit(() -> takeTurns(node, count)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(count[0]).isEqualTo(THREADS * TURNS);
    }

    /** Adds to a number that nothing but the lock protects. */
    private void takeTurns(BelayLockProvider node, int[] count) {
        for (int i = 0; i < TURNS; ) {
            Optional<SimpleLock> lock = tryLock(node);
            if (lock.isPresent()) {
                int before = count[0];
                Thread.yield();
                count[0] = before + 1;
                lock.get().unlock();
                i++;
            }
        }
    }

    private Optional<SimpleLock> tryLock(BelayLockProvider node) {
        try {
            return node.lock(configuration(LONG, Duration.ofMillis(5)));
        } catch (StoreUnavailableException e) {
            return Optional.empty(); // the machine was too busy to tell
        }
    }
}
