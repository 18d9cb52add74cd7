package io.belay.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.ReleaseOutcome;
import io.belay.servers.Pace;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That each wait and each hold is one observation, with its outcome. */
class ObservedLocksTest {
    private final Belay belay = Belay.connect("memory:" + UUID.randomUUID());
    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final ObservedLocks observed = ObservedLocks.of(registry);
    private final DistributedLock plain = belay.lock("stock:iphone");
    private final DistributedLock lock = observed.lock(plain);

    /** Notes each observation that has ended: its name and its outcome. */
    private final List<String> ended = new CopyOnWriteArrayList<>();

    ObservedLocksTest() {
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                ended.add(context.getName() + " "
                        + context.getLowCardinalityKeyValue("outcome").getValue());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
    }

    @AfterEach
    void close() {
        registry.setCurrentObservationScope(null); // each registry has that of the thread
        belay.close();
    }

    @Test
    void aWaitAndAHoldAreObserved() throws Exception {
        Observation parent = Observation.start("job", registry);
        String token;
        try (Observation.Scope scope = parent.openScope();
                Lease lease = lock.acquire()) {
            token = Long.toString(lease.token());
            assertThat(registry.getCurrentObservation()).isSameAs(parent);
        }
        for (String name : List.of("belay.acquire", "belay.hold")) {
            assertThat(registry)
                    .hasObservationWithNameEqualTo(name)
                    .that()
                    .hasBeenStarted()
                    .hasBeenStopped()
                    .hasContextualNameEqualTo(name + " stock")
                    .hasLowCardinalityKeyValue("lock", "stock")
                    .hasHighCardinalityKeyValue("lock.name", "stock:iphone")
                    .hasHighCardinalityKeyValue("lock.token", token)
                    .hasParentObservationEqualTo(parent)
                    .doesNotHaveError();
        }
        assertThat(ended).containsExactly("belay.acquire acquired", "belay.hold released");
    }

    @Test
    void bodiesUnderTheLockAreObserved() throws Exception {
        lock.run(() -> assertThat(ended).containsExactly("belay.acquire acquired"));
        assertThat(lock.tryRun(Duration.ZERO, () -> {})).isTrue();
        assertThat(ended)
                .containsExactly(
                        "belay.acquire acquired",
                        "belay.hold released",
                        "belay.acquire acquired",
                        "belay.hold released");
    }

    @Test
    void waitsWithoutTheLockTellWhy() throws Exception {
        Lease held = plain.acquire();
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire(Duration.ofMillis(1))).isEmpty();
        assertThat(lock.tryAcquireAsync().join()).isEmpty();
        assertThat(lock.tryAcquireAsync(Duration.ofMillis(1)).join()).isEmpty();
        assertThat(ended).hasSize(4).containsOnly("belay.acquire timeout");

        ended.clear();
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::acquire).isInstanceOf(InterruptedException.class);
        belay.semaphore("permits", 1).acquire();
        DistributedLock refused = observed.lock(belay.semaphore("permits", 2).permits(1));
        assertThatThrownBy(refused::acquire).isInstanceOf(LockRefusedException.class);
        belay.close();
        assertThatThrownBy(lock::acquire).isInstanceOf(RuntimeException.class);
        assertThat(ended).containsExactly("belay.acquire cancelled", "belay.acquire refused", "belay.acquire error");
        assertThat(held.isHeld()).isFalse();
    }

    @Test
    void futuresAreObservedAndToCancelOneLeavesTheQueue() throws Exception {
        Lease first = lock.acquireAsync().join();
        CompletableFuture<Lease> second = lock.acquireAsync();
        second.cancel(false);
        assertThatThrownBy(second::join).isInstanceOf(CancellationException.class);
        assertThat(belay.admin().waits()).isEmpty();
        assertThat(first.releaseAsync().get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
        Optional<Lease> third = lock.tryAcquireAsync().join();
        assertThat(third.orElseThrow().release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(ended)
                .containsExactly(
                        "belay.acquire acquired",
                        "belay.acquire cancelled",
                        "belay.hold released",
                        "belay.acquire acquired",
                        "belay.hold released");
    }

    @Test
    void aFutureThatIsCompletedInAnyWayLeavesTheQueue() throws Exception {
        try (Lease held = plain.acquire()) {
            CompletableFuture<Lease> late = lock.acquireAsync().orTimeout(1, TimeUnit.MILLISECONDS);
            assertThatThrownBy(late::join).hasCauseInstanceOf(TimeoutException.class);
            await().until(() -> belay.admin().waits().isEmpty());
            await().untilAsserted(() -> assertThat(ended).containsExactly("belay.acquire cancelled"));
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void aLossEndsTheHoldOnce() throws Exception {
        Lease lease = lock.acquire();
        CompletableFuture<LeaseLostException> lost = new CompletableFuture<>();
        assertThat(lease.onLost(lost::complete)).isSameAs(lease);
        belay.admin().forceRelease("stock:iphone");
        LeaseLostException loss = lost.get(Pace.seconds(), TimeUnit.SECONDS);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        lease.close();
        await().until(() -> ended.size() == 2); // who has listened first need not have been told first
        assertThat(ended).containsExactly("belay.acquire acquired", "belay.hold lost");
        assertThat(loss.name()).isEqualTo(lease.name());
    }

    /** What ends when it was to end is no error that somebody is to look at. */
    @Test
    void aFixedLeaseThatEndsIsNoError() throws Exception {
        LockOptions brief = LockOptions.defaults().withFixedLease(Duration.ofMillis(50));
        Lease lease = observed.lock(belay.lock("stock:iphone", brief)).acquire();
        await().until(() -> ended.size() == 2);
        assertThat(lease.isHeld()).isFalse();
        assertThat(ended).containsExactly("belay.acquire acquired", "belay.hold lost");
        assertThat(registry).hasObservationWithNameEqualTo("belay.hold").that().doesNotHaveError();
    }

    @Test
    void aLeaseIsWhatItWas() throws Exception {
        Lease lease = lock.acquire();
        assertThat(lease.isHeld()).isTrue();
        lease.ensureHeld();
        assertThat(lease.name()).isEqualTo(lock.name()).isEqualTo("stock:iphone");
        assertThat(lease.remaining()).isPositive();
        assertThat(lease.replicas()).isEmpty();
        lease.close();
        assertThat(lease.isHeld()).isFalse();
        assertThat(observed.lock(belay.lock("stock:iphone"))).isEqualTo(lock).hasSameHashCodeAs(lock);
        assertThat(lock.family()).isEqualTo("stock");
    }

    /** One that throws in what a handler of observations is told. */
    private ObservationRegistry failing(String told) {
        ObservationRegistry failing = ObservationRegistry.create();
        failing.observationConfig().observationHandler((ObservationHandler<?>) Proxy.newProxyInstance(
                ObservationHandler.class.getClassLoader(),
                new Class<?>[] {ObservationHandler.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals(told)) {
                        throw new IllegalStateException("by the test");
                    }
                    return method.getReturnType() == boolean.class ? true : null;
                }));
        return failing;
    }

    @ParameterizedTest
    @ValueSource(strings = {"onStart", "onScopeOpened", "onScopeClosed", "onStop"})
    void aLeaseIsGivenBackIfItsObserverThrows(String told) {
        DistributedLock badly = ObservedLocks.of(failing(told)).lock(plain);
        assertThatThrownBy(badly::acquire).hasMessage("by the test");
        assertThatThrownBy(() -> badly.acquireAsync().get(Pace.seconds(), TimeUnit.SECONDS))
                .hasMessageContaining("by the test");
        await().until(() -> belay.admin().holds().isEmpty());
    }

    @Test
    void aFutureThatNobodyHasLeavesTheQueue() throws Exception {
        DistributedLock badly = ObservedLocks.of(failing("onScopeClosed")).lock(plain);
        try (Lease lease = plain.acquire()) {
            assertThatThrownBy(badly::acquireAsync).hasMessage("by the test");
            await().until(() -> belay.admin().waits().isEmpty());
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"onError", "onStop"})
    void aFailureIsToldThoughItsObserverThrows(String told) {
        DistributedLock badly = ObservedLocks.of(failing(told)).lock(plain);
        belay.close();
        assertThatThrownBy(badly::acquire)
                .isInstanceOf(ClientClosedException.class)
                .hasSuppressedException(new IllegalStateException("by the test"));
        assertThatThrownBy(() -> badly.acquireAsync().get(Pace.seconds(), TimeUnit.SECONDS))
                .hasStackTraceContaining(ClientClosedException.class.getName());
    }

    @Test
    void aReleaseThrowsNothingThoughItsObserverDoes() throws Exception {
        ObservationRegistry failing = ObservationRegistry.create();
        failing.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                ended.add(context.getName());
                if (context.getName().equals("belay.hold")) {
                    throw new IllegalStateException("by the test");
                }
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        DistributedLock badly = ObservedLocks.of(failing).lock(plain);
        badly.acquire().close();
        assertThat(badly.acquire().release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(badly.acquire().releaseAsync().get(Pace.seconds(), TimeUnit.SECONDS))
                .isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(ended).hasSize(6).contains("belay.hold");
    }

    private ObservationRegistry failingAtErrors() {
        ObservationRegistry failing = ObservationRegistry.create();
        failing.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onError(Observation.Context context) {
                throw new IllegalStateException("by the test");
            }

            @Override
            public void onStop(Observation.Context context) {
                ended.add(context.getName() + " "
                        + context.getLowCardinalityKeyValue("outcome").getValue());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        return failing;
    }

    @Test
    void aLossEndsTheHoldThoughItsObserverThrows() throws Exception {
        Lease lease = ObservedLocks.of(failingAtErrors()).lock(plain).acquire();
        belay.admin().forceRelease("stock:iphone");
        await().untilAsserted(() -> assertThat(ended).containsExactly("belay.acquire acquired", "belay.hold lost"));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aFailureEndsTheWaitThoughItsObserverThrows() {
        belay.close();
        assertThatThrownBy(ObservedLocks.of(failingAtErrors()).lock(plain)::acquire)
                .isInstanceOf(ClientClosedException.class);
        assertThat(ended).containsExactly("belay.acquire error");
    }

    /** Of several observers the first ones have begun, as Spring Boot's of meters. */
    @ParameterizedTest
    @CsvSource({"belay.acquire,error", "belay.hold,unknown"})
    void whatCouldNotBeginForAllEndsAsAFailureForThoseWhereItHas(String name, String outcome) {
        MeterRegistry meters = new SimpleMeterRegistry();
        ObservationRegistry both = ObservationRegistry.create();
        both.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        both.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStart(Observation.Context context) {
                if (context.getName().equals(name)) {
                    throw new IllegalStateException("by the test");
                }
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        assertThatThrownBy(ObservedLocks.of(both).lock(plain)::acquire).hasMessage("by the test");
        assertThat(meters.get(name).timers()).hasSize(1);
        assertThat(meters.get(name)
                        .tags("lock", "stock", "outcome", outcome, "error", "IllegalStateException")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get(name + ".active").longTaskTimer().activeTasks()).isZero();
    }

    @Test
    void whereNobodyObservesTheLockIsItself() {
        assertThat(ObservedLocks.of(ObservationRegistry.NOOP).lock(plain)).isSameAs(plain);
    }
}
