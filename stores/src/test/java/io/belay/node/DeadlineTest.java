package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.support.Moment;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What ends at a service does so also for a machine whose clock stood still. */
class DeadlineTest {
    private static final long END = TimeUnit.HOURS.toNanos(1);

    /** An instant since which the wall clock has run ahead by so many milliseconds. */
    private static Deadline overtaken(long millis) {
        Moment now = Moment.now();
        return new Deadline(new Moment(now.nanos(), now.wallOffset() - millis), END);
    }

    @Test
    void lastsAsLongAsBothClocksAgree() {
        assertThat(overtaken(0).byNow()).isEqualTo(END);
    }

    @Test
    void endsSoonerWhereTheMachineWasSuspended() {
        assertThat(overtaken(5_000).byNow())
                .isBetween(END - TimeUnit.MILLISECONDS.toNanos(5_100), END - TimeUnit.MILLISECONDS.toNanos(4_900));
    }

    @Test
    void lastsNoLongerWhereTheWallClockWasPutBack() {
        assertThat(overtaken(-5_000).byNow()).isEqualTo(END);
    }
}
