package io.belay.spring.integration;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LossReason;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import java.time.Duration;
import java.time.Instant;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;

/** The registry does what Spring Integration asks of one, for two clients of one store. */
class RegistryTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Belay belay = Belay.connect("memory:registry");
    private final Belay elsewhere = Belay.connect("memory:registry");
    private final BelayLockRegistry registry = BelayLockRegistry.of(belay);
    private final BelayLockRegistry other = BelayLockRegistry.of(elsewhere);

    @AfterEach
    void close() {
        belay.close();
        elsewhere.close();
    }

    private static <T> T onAnotherThread(Callable<T> call) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.start();
        return result.get(Pace.seconds(), SECONDS);
    }

    @Test
    void aLockThatIsNeverUnlockedLeavesNothingAfterItsTimeToLive() throws Exception {
        Premise.withLease(Duration.ofMillis(50), timeToLive -> {
            for (int i = 0; i < 10; i++) {
                lockFor(registry.obtain("x" + i), timeToLive);
            }
            await().until(() -> registry.size() == 0);
            // The store counts a little longer than the client.
            await().pollInSameThread().until(() -> other.obtain("x0").tryLock());
        });
    }

    /** Takes a free lock. What ends so soon may do so before the answer is there that it was had: then nothing was. */
    private static void lockFor(DistributedLock lock, Duration timeToLive) throws Exception {
        boolean had = Premise.answered(() -> lock.tryLock(Duration.ZERO, timeToLive));
        Premise.check(had, "a lock's end comes after the answer that it is had");
    }

    private Duration remaining(String key) {
        return belay.admin().inspect(key).claims().stream()
                .map(Inspection.Claim::remaining)
                .findFirst()
                .orElse(Duration.ZERO);
    }

    @Test
    void aLockIsReentrantAndKeepsOthersOut() throws Exception {
        DistributedLock lock = registry.obtain("x");
        lock.lock();
        assertThat(registry.obtain("x").tryLock()).isTrue();
        assertThat(other.obtain("x").tryLock()).isFalse();
        assertThat(onAnotherThread(() -> registry.obtain("x").tryLock())).isFalse();
        assertThat(onAnotherThread(() -> registry.obtain("x").tryLock(1, TimeUnit.MILLISECONDS)))
                .isFalse();
        lock.unlock();
        assertThat(other.obtain("x").tryLock()).isFalse();
        lock.unlock();
        other.obtain("x").lockInterruptibly();
        other.obtain("x").unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void aLockWithATimeToLiveEnds() throws Exception {
        long before = System.nanoTime();
        DistributedLock lock = registry.obtain("x");
        lock.lock(Duration.ofMillis(500));
        other.obtain("x").lock();
        assertThat(System.nanoTime() - before)
                .isGreaterThanOrEqualTo(Duration.ofMillis(490).toNanos());
        other.obtain("x").unlock();
        assertThatThrownBy(() -> registry.renewLock("x")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> registry.renewLock("x", LONG)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        Premise.withLease(Duration.ofMillis(500), timeToLive -> {
            lockFor(lock, timeToLive);
            await().pollInSameThread().until(() -> other.obtain("x").tryLock());
        });
        other.obtain("x").unlock();
    }

    @Test
    void aRenewalIsToTheTimeToLiveThatWasAskedFor() throws Exception {
        DistributedLock lock = registry.obtain("x");
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofMinutes(1))).isTrue();
        registry.renewLock("x", Duration.ofMinutes(10));
        assertThat(remaining("x")).isGreaterThan(Duration.ofMinutes(9));
        registry.renewLock("x");
        assertThat(remaining("x")).isBetween(Duration.ofSeconds(10), Duration.ofMinutes(1));
        lock.lock();
        lock.unlock();
        registry.renewLock("x", LONG);
        assertThat(remaining("x")).isGreaterThan(Duration.ofMinutes(4));
        lock.unlock();
    }

    @Test
    void aLockWithoutATimeToLiveIsRenewedAnywayAndGetsOneWhenAsked() throws Exception {
        Premise.withLease(Duration.ofMillis(300), timeToLive -> {
            // Another one in each attempt: of one that was lost the thread is told when it locks again.
            String key = "x" + timeToLive.toMillis();
            DistributedLock lock = registry.obtain(key);
            lock.lock();
            registry.renewLock(key);
            renewInTime(key, timeToLive);
            other.obtain(key).lock();
            other.obtain(key).unlock();
            assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        });
    }

    /** Renews a lock that ends so soon that it may do so before the answer is there that it was renewed. */
    private void renewInTime(String key, Duration timeToLive) {
        try {
            registry.renewLock(key, timeToLive);
        } catch (IllegalStateException e) {
            boolean over = e.getCause() instanceof LeaseLostException lost
                    && lost.reason().equals(Optional.of(LossReason.MAX_HOLD));
            Premise.check(!over, "a lock's end comes after the answer that it is renewed");
            throw e;
        }
    }

    @Test
    void aLockThatWasGivenATimeToLiveIsRenewedToIt() {
        DistributedLock lock = registry.obtain("x");
        lock.lock();
        registry.renewLock("x", Duration.ofSeconds(20));
        Lease lease = ((RegistryLock) lock).lease();
        Duration before = lease.remaining();
        assertThat(before).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(20));
        await().until(() -> lease.remaining().compareTo(before.minusMillis(100)) < 0);
        // A renewal counts from when it was asked for, and may take its time.
        await().pollInSameThread().untilAsserted(() -> {
            registry.renewLock("x");
            assertThat(lease.remaining()).isBetween(before.minusMillis(100), Duration.ofSeconds(20));
        });
        lock.unlock();
        assertThat(registry.size()).isZero();
    }

    @Test
    void allObjectsOfOneKeyAreEqual() {
        assertThat(registry.obtain("x")).isEqualTo(registry.obtain("x")).hasSameHashCodeAs(registry.obtain("x"));
        assertThat(registry.obtain("x")).isNotEqualTo(registry.obtain("y")).isNotEqualTo(other.obtain("x"));
    }

    @Test
    void aKeyThatIsAnotherOneAtEachCallIsRefused() {
        assertThatThrownBy(() -> registry.obtain(List.of("a", new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the key of a lock has the text of a java.lang.Object, which has no toString");
        assertThatThrownBy(() -> registry.obtain(new byte[1])).hasMessageContaining("is a byte[]");
    }

    /** As in Spring's registries: who renews a lock by taking it again counts on that. */
    @Test
    void anInnerLevelBeginsTheTimeToLiveAnewAndEndsNoLaterOne() throws Exception {
        DistributedLock lock = registry.obtain("x");
        lock.lock(Duration.ofMinutes(1));
        Lease lease = ((RegistryLock) lock).lease();
        Duration before = lease.remaining();
        await().until(() -> lease.remaining().compareTo(before.minusMillis(100)) < 0);
        await().pollInSameThread().untilAsserted(() -> {
            assertThat(lock.tryLock()).isTrue();
            assertThat(lease.remaining()).isBetween(before.minusMillis(100), Duration.ofMinutes(1));
        });
        assertThat(lock.tryLock(Duration.ZERO, LONG)).isTrue();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(4));
        lock.lock();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(4));
    }

    @Test
    void anInnerLevelWhoseTimeToLiveCannotBeIsNotTaken() {
        DistributedLock lock = registry.obtain("x");
        lock.lock(Duration.ofMinutes(1));
        assertThatThrownBy(() -> lock.lock(Duration.ofDays(366))).isInstanceOf(IllegalArgumentException.class);
        lock.unlock();
        assertThat(other.obtain("x").tryLock()).isTrue();
    }

    /** It gives the lock back at the end of each look, having taken it again. */
    @Test
    void aLeaderOfSpringsOwnKeepsALockWithATimeToLive() {
        LockOptions options = LockOptions.defaults().withFixedLease(Duration.ofMinutes(2));
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(
                BelayLockRegistry.of(belay, options), new DefaultCandidate("node-1", "reporter"));
        initiator.setHeartBeatMillis(10);
        initiator.start();
        try {
            await().until(() -> initiator.getContext().isLeader());
            Instant end = end("reporter");
            await().until(() -> end("reporter").isAfter(end.plusMillis(200)));
        } finally {
            initiator.destroy();
        }
    }

    private Instant end(String key) {
        return Instant.now().plus(remaining(key));
    }

    @Test
    void optionsMaySetTheTimeToLive() {
        BelayLockRegistry fixed =
                BelayLockRegistry.of(belay, LockOptions.defaults().withFixedLease(Duration.ofMinutes(2)));
        fixed.obtain("x").lock();
        fixed.renewLock("x", Duration.ofMinutes(10));
        fixed.renewLock("x");
        assertThat(remaining("x")).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(2));
        fixed.obtain("x").unlock();
    }

    @Test
    void theClientsOptionsHoldWhereNoneAreGiven() {
        LockOptions options = LockOptions.defaults().withFixedLease(Duration.ofMinutes(2));
        try (Belay fixed =
                Belay.connect("memory:registry", BelayOptions.defaults().withLockDefaults(options))) {
            BelayLockRegistry locks = BelayLockRegistry.of(fixed.namespace("of"));
            locks.obtain("x").lock();
            assertThat(remaining("of:x")).isGreaterThan(Duration.ofMinutes(1));
            locks.renewLock("x", Duration.ofMinutes(10));
            locks.renewLock("x");
            assertThat(remaining("of:x")).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(2));
            locks.obtain("x").unlock();
        }
    }

    /** A lock whose time to live is over is gone: to take it again is a lock of its own, as the page says. */
    @Test
    void whatIsTakenAgainAfterItsTimeToLiveIsALockOfItsOwn() {
        DistributedLock lock = registry.obtain("x");
        lock.lock(Duration.ofMillis(50));
        Lease first = ((RegistryLock) lock).lease();
        await().until(() -> !first.isHeld());
        lock.lock();
        assertThat(((RegistryLock) lock).lease().token()).isGreaterThan(first.token());
        assertThat(other.obtain("x").tryLock()).isFalse();
        lock.unlock();
        assertThat(other.obtain("x").tryLock()).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        other.obtain("x").unlock();
    }

    @Test
    void whoDoesNotHoldALockRenewsNothing() throws Exception {
        assertThatThrownBy(() -> registry.renewLock("x")).isInstanceOf(IllegalStateException.class);
        registry.obtain("x").lock();
        assertThatThrownBy(() -> onAnotherThread(() -> {
                    registry.renewLock("x", LONG);
                    return true;
                }))
                .hasCauseInstanceOf(IllegalStateException.class);
        registry.obtain("x").unlock();
    }

    @Test
    void whatWasLockedIsForgottenWhenItIsUnlocked() {
        registry.obtain("x").lock(LONG);
        registry.obtain("x").unlock();
        registry.expireUnusedOlderThan(0);
        registry.obtain("x").lock();
        registry.renewLock("x");
        assertThat(remaining("x")).isLessThan(Duration.ofMinutes(1));
        registry.obtain("x").unlock();
    }

    @Test
    void bodiesRunLocked() throws Exception {
        assertThat(registry.<Boolean, Exception>executeLocked(
                        "x", () -> other.obtain("x").tryLock()))
                .isFalse();
        other.obtain("x").lock();
        assertThatThrownBy(() -> registry.executeLocked("x", Duration.ofMillis(10), () -> {}))
                .isInstanceOf(TimeoutException.class);
        other.obtain("x").unlock();
    }

    @Test
    void keysOfAnyKindAreLocks() {
        UUID id = UUID.randomUUID();
        List<Object> keys =
                List.of("plain", 4711, id, List.of("a", "b"), "", "two\nlines", "long".repeat(200), "\ud800");
        keys.forEach(key -> registry.obtain(key).lock());
        keys.forEach(
                key -> assertThat(other.obtain(key).tryLock()).as("%s", key).isFalse());
        assertThat(belay.admin().names(""))
                .contains("plain", "4711", id.toString(), "[a, b]")
                .anyMatch(name -> name.matches("#[0-9a-f]{32}"))
                .anyMatch(name -> name.matches("two_lines#[0-9a-f]{32}"))
                .anyMatch(name -> name.matches("(long){16}#[0-9a-f]{32}"))
                .hasSize(keys.size());
        keys.forEach(key -> registry.obtain(key).unlock());
    }

    @Test
    void longKeysThatDifferAtTheirEndAreDifferentLocks() {
        registry.obtain("long".repeat(200) + 1).lock();
        assertThat(other.obtain("long".repeat(200) + 2).tryLock()).isTrue();
        other.obtain("long".repeat(200) + 2).unlock();
        registry.obtain("long".repeat(200) + 1).unlock();
    }

    @Test
    void aKeyThatIsAnotherOneOnEachNodeIsRefused() {
        assertThatThrownBy(() -> registry.obtain(new Object())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> registry.obtain(new byte[] {1})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesAreInTheNamespaceOfTheClient() {
        BelayLockRegistry orders = BelayLockRegistry.of(belay.namespace("orders"));
        orders.obtain("x").lock();
        assertThat(belay.admin().names("")).containsExactly("orders:x");
        orders.obtain("x").unlock();
    }
}
