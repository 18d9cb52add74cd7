package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreClockTest {
    private static final long SECOND = 1_000_000_000;
    private static final StoreClock OLD = new StoreClock(1, 5_000_000, 7 * SECOND, 7 * SECOND, "Redis at a:1");

    @Test
    void clocksAreComparedByWhatWouldBeShownNow() {
        assertThat(another(65_900_000).complaint(OLD)).as("within a second").isNull();
        assertThat(new StoreClock(1, 1_000_000, 67 * SECOND, 67 * SECOND, "Redis at a:1").complaint(OLD))
                .as("the same server")
                .isNull();
        assertThat(another(55_000_000).complaint(OLD))
                .isEqualTo(
                        "Redis at b:2 took over from Redis at a:1, and its clock is 10000 ms behind the last one's, so"
                                + " tokens may go back: set the clocks by NTP");
        assertThat(another(70_000_000).complaint(OLD)).contains("5000 ms ahead of");
    }

    @Test
    void aRestartIsNoTakingOver() {
        assertThat(new StoreClock(2, 55_000_000, 67 * SECOND, 67 * SECOND, "Redis at a:1").complaint(OLD))
                .isEqualTo("Redis at a:1 was restarted or replaced, and its clock is 10000 ms behind the last one's, so"
                        + " tokens may go back: set the clocks by NTP");
    }

    /** The time for which an answer was on its way, or for which nobody read it, is no fault of a clock. */
    @Test
    void whatAnAnswerTookIsNoDifference() {
        StoreClock late = new StoreClock(1, 5_000_000, 7 * SECOND, 9 * SECOND, "Redis at a:1");
        assertThat(another(65_000_000).complaint(late))
                .as("the first answer was read late")
                .isNull();
        assertThat(another(68_100_000).complaint(late)).contains("3100 ms ahead of");
        StoreClock later = new StoreClock(2, 65_000_000, 67 * SECOND, 69 * SECOND, "Redis at b:2");
        assertThat(later.complaint(OLD)).as("the second answer was read late").isNull();
        StoreClock behind = new StoreClock(2, 63_000_000, 67 * SECOND, 69 * SECOND, "Redis at b:2");
        assertThat(behind.complaint(OLD)).contains("2000 ms behind");
    }

    /** The first scripts of a process take it seconds, where it is slow. */
    @Test
    void theClockIsReadBeforeScriptsAreLoaded() {
        AtomicLong loading = new AtomicLong();
        Settings settings = Settings.parse("redis://h");
        ServerInfo info = new ServerInfo("redis_version:7.2.0\nserver_time_usec:5000000", 7);
        Link link = new Link(
                null,
                null,
                info,
                form -> {
                    loading.compareAndSet(0, System.nanoTime());
                    return new Scripts("belay:", form);
                },
                settings,
                0);
        assertThat(link.clock().asked()).isEqualTo(7);
        assertThat(link.clock().heard() - loading.get()).isNotPositive();
    }

    private static StoreClock another(long micros) {
        return new StoreClock(2, micros, 67 * SECOND, 67 * SECOND, "Redis at b:2");
    }
}
