package io.belay.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Waits are counted by the step that they lasted for at most. */
class WaitStepsTest {
    private static long of(Tally.WaitSteps steps, long all, Duration step) {
        return steps.within(all).get(step);
    }

    @Test
    void aStepHasWhatLastedItAtMost() {
        Tally.WaitSteps steps = new Tally.WaitSteps();
        Duration[] waits = {
            Duration.ZERO,
            Duration.ofMillis(1),
            Duration.ofMillis(1).plusNanos(1),
            Duration.ofMillis(20),
            Duration.ofMillis(20).plusNanos(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1).plusNanos(1),
            Duration.ofDays(1)
        };
        for (Duration wait : waits) {
            steps.add(wait.toNanos());
        }
        assertThat(of(steps, waits.length, Duration.ofMillis(1))).isEqualTo(2);
        assertThat(of(steps, waits.length, Duration.ofMillis(2))).isEqualTo(3);
        assertThat(of(steps, waits.length, Duration.ofMillis(10))).isEqualTo(3);
        assertThat(of(steps, waits.length, Duration.ofMillis(20))).isEqualTo(4);
        assertThat(of(steps, waits.length, Duration.ofMillis(30))).isEqualTo(5);
        assertThat(of(steps, waits.length, Duration.ofMinutes(1))).isEqualTo(6);
    }

    @Test
    void whatIsMovedIsCountedOnce() {
        Tally.WaitSteps one = new Tally.WaitSteps();
        Tally.WaitSteps other = new Tally.WaitSteps();
        Tally.WaitSteps all = new Tally.WaitSteps();
        Tally.WaitSteps once = new Tally.WaitSteps();
        Random random = new Random(7);
        int count = 10_000;
        for (int i = 0; i < count; i++) {
            long wait = (long) Math.pow(10, 11 * random.nextDouble());
            (random.nextBoolean() ? one : other).add(wait);
            once.add(wait);
            if (i % 1_000 == 0) {
                all.take(one);
            }
        }
        all.take(one);
        all.take(other);
        all.take(other);
        assertThat(all.within(count)).isEqualTo(once.within(count));
        assertThat(one.within(0).values()).containsOnly(0L);
    }
}
