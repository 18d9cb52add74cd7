package io.belay.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.ForwardingLease;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReentrantDistributedLock;
import io.belay.StoreUnavailableException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;

/** After a suspension, while the store is silent, nobody knows whether a lock is held: it is not said to be lost. */
class UnsureRenewalTest {
    private boolean isUnsure;

    /** A lease that is unsure when the test says so. */
    private final class Unsure extends ForwardingLease {
        Unsure(Lease lease) {
            super(lease);
        }

        @Override
        public void ensureHeld() {
            check();
            super.ensureHeld();
        }

        @Override
        public Duration extend(Duration duration) {
            check();
            return super.extend(duration);
        }

        private void check() {
            if (isUnsure) {
                throw LeaseLostException.of(name(), token()).withMessage("The lease is unsure");
            }
        }
    }

    @Test
    void aLockThatIsUnsureIsNotSaidToBeLost() {
        try (Belay belay = Belay.connect("memory:unsure")) {
            BelayLockRegistry registry = BelayLockRegistry.of(changed(
                    Belay.class,
                    belay,
                    "reentrantLock",
                    lock -> changed(
                            ReentrantDistributedLock.class, lock, "lease", lease -> new Unsure((Lease) lease))));
            DistributedLock lock = registry.obtain("x");
            lock.lock();
            isUnsure = true;
            assertThatThrownBy(() -> registry.renewLock("x"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage("The lease is unsure");
            assertThatThrownBy(() -> registry.renewLock("x", Duration.ofMinutes(1)))
                    .isInstanceOf(StoreUnavailableException.class);
            isUnsure = false;
            registry.renewLock("x");
            registry.renewLock("x", Duration.ofMinutes(1));
            lock.unlock();
            assertThat(belay.lock("x").isLocked()).isFalse();
        }
    }

    /** Returns an object that does what another does, but changes what one method answers. */
    private static <T> T changed(Class<T> type, Object other, String changed, UnaryOperator<Object> answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object its = method.invoke(other, arguments);
                    return method.getName().equals(changed) ? answer.apply(its) : its;
                }));
    }
}
