package io.belay.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.LockOptions;
import io.belay.spi.Capabilities;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;

/** On a store whose claims live as long as their client's session, as in ZooKeeper: no lock has a time to live of its own there. */
class SessionStoreTest {
    private static final Duration TIME_TO_LIVE = Duration.ofMinutes(1);

    /** Opens a store in memory, but as one whose claims have no leases of their own. */
    private static Store open(long client, Store.Listener listener) {
        SessionStoreTest.class.getModule().addUses(StoreProvider.class);
        Store memory = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.schemes().contains("memory"))
                .findFirst()
                .orElseThrow()
                .open("memory:sessions", client, listener);
        return (Store) Proxy.newProxyInstance(
                SessionStoreTest.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    Object its = method.invoke(memory, arguments);
                    return its instanceof Capabilities all ? all.withLeasePerClaim(false) : its;
                });
    }

    @Test
    void aTimeToLiveIsRefusedAndALongestHoldIsNot() throws Exception {
        try (Belay belay = Belay.connect(SessionStoreTest::open, BelayOptions.defaults())) {
            BelayLockRegistry registry = BelayLockRegistry.of(belay);
            DistributedLock lock = registry.obtain("x");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> lock.lock(TIME_TO_LIVE))
                    .withMessage("The lock 'x' cannot have a fixed lease: this store has no lease of a claim's own");
            assertThatIllegalArgumentException().isThrownBy(() -> lock.tryLock(Duration.ZERO, TIME_TO_LIVE));
            LockOptions fixed = LockOptions.defaults().withFixedLease(TIME_TO_LIVE);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> BelayLockRegistry.of(belay, fixed).obtain("x"))
                    .withMessageContaining("cannot have a fixed lease");
            lock.lock();
            registry.renewLock("x");
            registry.renewLock("x", TIME_TO_LIVE);
            lock.unlock();
            assertThat(belay.lock("x").isLocked()).isFalse();
        }
    }
}
