package io.belay.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.ConnectMode;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.memory.MemoryWorld;
import io.belay.spi.Capabilities;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients whose store is away, refuses or does not answer when they are connected. */
class ConnectLaterTest {
    private final MemoryWorld world = new MemoryWorld(() -> System.nanoTime() / 1000);
    private final AtomicInteger attempts = new AtomicInteger();
    private final CountDownLatch answering = new CountDownLatch(1);
    private final AtomicInteger closed = new AtomicInteger();
    private volatile @Nullable RuntimeException trouble;
    private volatile boolean silent;
    private volatile @Nullable Capabilities capabilities = Capabilities.none()
            .withPush(true)
            .withLeasePerClaim(true)
            .withDurableTokens(true)
            .withExpiry(true)
            .withSharing(true);
    private volatile Duration slice = Duration.ofMillis(2);
    /** The threads that have opened the store, or tried to. */
    private final Queue<Thread> openers = new ConcurrentLinkedQueue<>();

    private @Nullable Belay belay;

    @AfterEach
    void close() {
        answering.countDown();
        if (belay != null) {
            belay.close();
        }
    }

    private Store open(long client, Store.Listener listener) {
        attempts.incrementAndGet();
        openers.add(Thread.currentThread());
        if (silent) {
            awaitAnswer();
        }
        if (trouble != null) {
            throw trouble;
        }
        return new FaultyStore(world, client, listener) {
            @Override
            public Capabilities capabilities() {
                Capabilities known = capabilities;
                if (known == null) {
                    throw new IllegalStateException("not now, says the test");
                }
                return known;
            }

            @Override
            public Duration slice() {
                return slice;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    private void awaitAnswer() {
        try {
            answering.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Belay connect(ConnectMode mode) {
        Belay connected = Belay.connect(
                this::open, BelayOptions.defaults().withConnectMode(mode).withRequestTimeout(Duration.ofMillis(300)));
        belay = connected;
        return connected;
    }

    @Test
    void whoComesWhileItConnectsWaitsForThat() throws Exception {
        silent = true;
        Belay later = connect(ConnectMode.LATER);
        CompletableFuture<Lease> waiting = later.lock("x").acquireAsync();
        answering.countDown();
        assertThat(waiting.get().isHeld()).isTrue();
        assertThat(later.admin().health().answering()).isTrue();
        assertThat(attempts).hasValue(1);
    }

    @Test
    void aStoreThatWasNeverThereIsNotHealthy() {
        silent = true;
        Belay later = connect(ConnectMode.LATER);
        assertThat(later.admin().health().answering()).isFalse();
        assertThat(later.admin().health().failure()).hasValue("it has not answered since connecting to it began");
    }

    /** A class of a library that is not there says but its name, and others say nothing. */
    @Test
    void whatADriverThrowsIsToldWithItsKind() {
        trouble = new NullPointerException();
        Belay later = connect(ConnectMode.LATER);
        await().until(() -> later.admin()
                .health()
                .failure()
                .filter(NullPointerException.class.getName()::equals)
                .isPresent());
    }

    /** It was opened, so it is closed again, and the next attempt follows. */
    @Test
    void aStoreThatThrowsWhenItIsAskedWhatItCanDoIsOpenedAgain() throws Exception {
        capabilities = null;
        Belay later = connect(ConnectMode.LATER);
        await().until(() -> closed.get() > 0);
        capabilities = Capabilities.none()
                .withPush(true)
                .withLeasePerClaim(true)
                .withDurableTokens(true)
                .withExpiry(true)
                .withSharing(true);
        assertThat(later.lock("x").acquire().isHeld()).isTrue();
        assertThat(closed).hasValue(attempts.get() - 1);
        capabilities = null;
        closed.set(0);
        assertThatThrownBy(() -> connect(ConnectMode.REQUIRED)).isInstanceOf(IllegalStateException.class);
        assertThat(closed).hasValue(1);
    }

    @Test
    void aStoreWhoseSliceNobodyCanCountIsClosedAgain() {
        slice = Duration.ofSeconds(Long.MAX_VALUE);
        assertThatThrownBy(() -> connect(ConnectMode.REQUIRED)).isInstanceOf(ArithmeticException.class);
        assertThat(closed).hasValue(1);
    }

    /** It takes so long to fail that the client has connected anew meanwhile. */
    @Test
    void anAttemptOfBeforeAPauseThatFailsLaterIsNoFailureOfTheStore() throws Exception {
        silent = true;
        Belay later = connect(ConnectMode.LATER);
        await().until(() -> !openers.isEmpty());
        later.pause(Duration.ZERO);
        silent = false;
        later.resume();
        await().until(() -> later.admin().health().answering());
        trouble = StoreException.unreachable("away, says the test", null);
        answering.countDown();
        openers.remove().join();
        assertThat(later.admin().health().answering()).isTrue();
        assertThat(later.admin().statistics().outages()).isZero();
    }

    @Test
    void aStoreThatIsAwayIsToldAtTheFirstUseAndInTheHealthAndConnectedToOnceItIsThere() throws Exception {
        trouble = StoreException.unreachable("away, says the test", null);
        Belay later = connect(ConnectMode.LATER);
        assertThat(later.admin().health().answering()).isFalse();
        await().until(() -> later.admin().health().failure().equals(Optional.of("away, says the test")));
        assertThatThrownBy(() -> later.lock("x").tryAcquire())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("away, says the test");
        assertThatThrownBy(() -> later.admin().capabilities())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("away, says the test");
        CompletableFuture<Lease> waiting = later.lock("x").acquireAsync();
        trouble = null;
        assertThat(waiting.get().isHeld()).isTrue();
        assertThat(later.admin().health().answering()).isTrue();
        assertThat(later.admin().capabilities().push()).isTrue();
        assertThat(later.admin().inspect("x").claims()).hasSize(1);
    }

    @Test
    void aRefusalIsThrownAtOnceWhereItWasAskedForAndElseAtTheFirstUse() {
        trouble = StoreException.unusable("wrong password, says the test", null);
        assertThatThrownBy(() -> connect(ConnectMode.IF_REACHABLE))
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("wrong password, says the test");
        Belay later = connect(ConnectMode.LATER);
        assertThatThrownBy(() -> later.lock("x").acquire())
                .isInstanceOf(StoreMisconfiguredException.class)
                .hasMessageContaining("wrong password, says the test");
    }

    @Test
    void whatCanNotBeReachedIsConnectedToLaterUnlessItIsRequired() throws Exception {
        trouble = StoreException.unreachable("away, says the test", null);
        assertThatThrownBy(() -> connect(ConnectMode.REQUIRED)).isInstanceOf(StoreUnavailableException.class);
        Belay later = connect(ConnectMode.IF_REACHABLE);
        assertThat(later.admin().health().answering()).isFalse();
        trouble = null;
        try (Lease lease = later.lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void whatNobodyAnswersFailsInTheTimeOfARequestAndLaterAtOnce() throws Exception {
        silent = true;
        Belay later = connect(ConnectMode.LATER);
        assertThatThrownBy(() -> later.lock("x").tryAcquire(Duration.ofMillis(500)))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> later.admin().inspect("x"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("has not answered for");
        answering.countDown();
        await().untilAsserted(
                        () -> assertThat(later.admin().inspect("x").claims()).isEmpty());
        assertThat(later.lock("x").tryAcquire()).isPresent(); // the try that was given up is nowhere
    }

    @Test
    void whatTheStoreCanDoIsKnownOnceItIsThere() throws Exception {
        capabilities =
                Capabilities.none().withDurableTokens(true).withExpiry(true).withSharing(true);
        silent = true;
        Belay later = connect(ConnectMode.LATER);
        var fixed = later.lock("x", LockOptions.defaults().withFixedLease(Duration.ofSeconds(1)));
        CompletableFuture<Optional<Lease>> waiting = later.lock("y").tryAcquireAsync(Duration.ofSeconds(30));
        answering.countDown();
        assertThat(waiting.get()).isPresent();
        assertThat(later.admin().capabilities().push()).isFalse();
        assertThatThrownBy(fixed::acquire)
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining("cannot have a fixed lease");
    }

    @Test
    void whoWaitsForWhatTheStoreTurnsOutNotToDoIsRefused() throws Exception {
        capabilities =
                Capabilities.none().withDurableTokens(true).withExpiry(true).withSharing(true);
        silent = true;
        Belay later = connect(ConnectMode.LATER);
        LockOptions defaults = LockOptions.defaults();
        LockOptions atLeast = defaults.withAtLeast(Duration.ofSeconds(20));
        DistributedLock keptLock = later.lock("x", atLeast);
        CompletableFuture<Lease> kept = keptLock.acquireAsync();
        CompletableFuture<Lease> fixed =
                later.lock("y", defaults.withFixedLease(Duration.ofSeconds(20))).acquireAsync();
        CompletableFuture<Lease> other = later.lock("z").acquireAsync();
        answering.countDown();
        String refusal = "The lock 'x' cannot stay taken after its release";
        assertThatThrownBy(kept::get)
                .hasCauseInstanceOf(LockRefusedException.class)
                .hasMessageContaining(refusal);
        assertThatThrownBy(fixed::get)
                .hasCauseInstanceOf(LockRefusedException.class)
                .hasMessageContaining("The lock 'y' cannot have a fixed lease");
        assertThatThrownBy(keptLock.acquireAsync()::get)
                .as("by who came before the store was known")
                .hasCauseInstanceOf(LockRefusedException.class)
                .hasMessageContaining(refusal);
        assertThatThrownBy(keptLock::tryAcquire)
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContaining(refusal);
        assertThatThrownBy(() -> later.lock("x", atLeast))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(refusal);
        assertThat(other.get().isHeld()).isTrue();
        await().untilAsserted(
                        () -> assertThat(later.admin().inspect("x").claims()).isEmpty());
        assertThat(later.admin().statistics().outages()).isZero();
    }

    @Test
    void aStoreThatComesAfterTheClientWasClosedIsClosed() {
        silent = true;
        Belay later = connect(ConnectMode.LATER);
        CompletableFuture<Lease> waiting = later.lock("x").acquireAsync();
        later.close();
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(ClientClosedException.class);
        answering.countDown();
        await().untilAsserted(() -> assertThat(closed).hasValue(1));
    }
}
