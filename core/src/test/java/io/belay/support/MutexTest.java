package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.Pace;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

/** A lock that a {@code try} holds. */
class MutexTest {
    private final Mutex lock = new Mutex();

    @Test
    void theBlocksEndGivesItBackWhateverIsThrown() throws Exception {
        assertThatThrownBy(() -> {
                    try (var held = lock.hold();
                            var again = lock.hold()) {
                        throw new IllegalStateException("on purpose");
                    }
                })
                .isInstanceOf(IllegalStateException.class);
        CountDownLatch had = new CountDownLatch(1);
        DaemonThread.start("another", () -> {
            try (var held = lock.hold()) {
                had.countDown();
            }
        });
        assertThat(had.await(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whoWaitsForAConditionLetsOthersIn() throws Exception {
        Condition changed = lock.newCondition();
        try (var held = lock.hold()) {
            DaemonThread.start("another", () -> {
                try (var its = lock.hold()) {
                    changed.signal();
                }
            });
            assertThat(changed.await(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
        }
    }
}
