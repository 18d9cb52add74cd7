package io.belay.dashboard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.dashboard.client.CountWindow.Counts;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rates and percentiles are those of the last ten seconds, and of nothing where nothing was counted. */
class CountWindowTest {
    private final CountWindow window = new CountWindow();

    /** Counts at a second: so many of at most 1 ms, of at most 5 ms, and in all. */
    private void at(int second, long one, long five, long all) {
        TreeMap<Long, Long> within = new TreeMap<>();
        within.put(1L, one);
        within.put(5L, five);
        window.add(new Counts(second * 1_000_000_000L, all, 2L * second, within));
    }

    @Test
    void nothingIsMadeOfOneReading() {
        at(0, 90, 99, 100);
        assertThat(window.acquiredPerSecond()).isEmpty();
        assertThat(window.percentileMillis(0.5)).isEmpty();
    }

    @Test
    void whatWasBeforeTheWindowIsNotInIt() {
        at(0, 1_000, 1_000, 1_000);
        for (int second = 1; second <= 20; second++) {
            at(second, 1_000, 1_000 + 5L * second, 1_000 + 10L * second);
        }
        assertThat(window.acquiredPerSecond()).hasValue(10);
        assertThat(window.failedPerSecond()).hasValue(2);
        assertThat(window.percentileMillis(0.5)).hasValue(5);
        assertThat(window.percentileMillis(0.99))
                .as("longer than the last step")
                .hasValue(Long.MAX_VALUE);
    }

    @Test
    void whatWasCountedBeforeAPauseIsNotInIt() {
        at(0, 0, 0, 0);
        at(1, 0, 0, 10);
        at(3_600, 0, 0, 100_000);
        assertThat(window.acquiredPerSecond()).isEmpty();
        at(3_601, 0, 0, 100_020);
        assertThat(window.acquiredPerSecond()).hasValue(20);
    }

    @Test
    void noWaitsHaveNoPercentile() {
        at(0, 7, 8, 9);
        at(1, 7, 8, 9);
        assertThat(window.acquiredPerSecond()).hasValue(0);
        assertThat(window.percentileMillis(0.5)).isEmpty();
        window.clear();
        assertThat(window.acquiredPerSecond()).isEmpty();
    }
}
