package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SweepTimesTest {
    private static final long NOW = Long.MAX_VALUE - 5;

    private final SweepTimes sweeps = new SweepTimes(NOW);

    @Test
    void onceAMinuteOrSo() {
        assertPause(NOW);
        long later = sweeps.next();
        sweeps.swept(later, false);
        assertPause(later);
    }

    @Test
    void atOnceUntilNothingIsLeft() {
        sweeps.swept(NOW, true);
        assertThat(sweeps.isDue(NOW)).isTrue();
        sweeps.swept(NOW, false);
        assertPause(NOW);
    }

    private void assertPause(long from) {
        assertThat(sweeps.isDue(from + TimeUnit.SECONDS.toNanos(44))).isFalse();
        assertThat(sweeps.isDue(from + TimeUnit.SECONDS.toNanos(76))).isTrue();
    }
}
