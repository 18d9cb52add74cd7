package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void theSlowerTheMachineTheLongerItsTestsWait() {
        assertThat(new Pace(Duration.ofNanos(200_000), Duration.ofMillis(80)).ofThis())
                .hasSeconds(60);
        assertThat(new Pace(Duration.ofMillis(2), Duration.ofMillis(1_500)).ofThis())
                .hasSeconds(150);
        assertThat(new Pace(Duration.ofMillis(90), Duration.ofMillis(300)).ofThis())
                .hasSeconds(90);
        assertThat(new Pace(Duration.ofSeconds(3), Duration.ofSeconds(9)).ofThis())
                .hasSeconds(300);
    }

    @Test
    void whatIsAwaitedHasThatPatience() {
        AtomicLong left = new AtomicLong();
        Awaitility.await()
                .conditionEvaluationListener(condition -> left.set(condition.getRemainingTimeInMS()))
                .until(() -> true);
        // More than Awaitility's own default, which is ten seconds.
        assertThat(left.get()).isBetween(10_001L, Pace.patience().toMillis());
    }
}
