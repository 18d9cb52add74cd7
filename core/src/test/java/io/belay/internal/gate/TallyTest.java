package io.belay.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.LockStatistics.HoldEnd;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Times of many threads are summed up also where a long has not so many nanoseconds. */
class TallyTest {
    private static final long CENTURY = Long.MAX_VALUE / 2;

    @Test
    void aSumOfCenturiesIsRight() {
        Tally tally = new Tally("x");
        for (int i = 0; i < 3; i++) {
            tally.ended(HoldEnd.RELEASED, CENTURY);
        }
        tally.locked(its -> assertThat(its.holds().times())
                .containsEntry(HoldEnd.RELEASED, Duration.ofNanos(CENTURY).multipliedBy(3)));
    }

    @Test
    void whatIsMovedIsSummedUpOnce() {
        Tally.Sum one = new Tally.Sum();
        Tally.Sum all = new Tally.Sum();
        for (int i = 0; i < 5; i++) {
            one.add(CENTURY);
            one.add(7);
            all.take(one);
            one.add(CENTURY);
        }
        all.take(one);
        all.take(one);
        assertThat(all.time())
                .isEqualTo(Duration.ofNanos(CENTURY).multipliedBy(10).plusNanos(5 * 7));
        assertThat(all.count).isEqualTo(15);
        assertThat(all.longest).isEqualTo(CENTURY);
        assertThat(one.time()).isZero();
    }
}
