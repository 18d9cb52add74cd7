package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A fixed lease ends when it does, also for a machine whose clock stood still. */
class FixedLeaseTest {
    private static final long END = TimeUnit.HOURS.toNanos(1);
    private static final long HOLD = TimeUnit.SECONDS.toMicros(10);

    @Test
    void lastsAsLongAsBothClocksAgree() {
        assertThat(new FixedLease(END, Ticks.wallAhead(), HOLD).endByNow()).isEqualTo(END);
    }

    @Test
    void endsSoonerWhereTheMachineWasSuspended() {
        long before = Ticks.wallAhead() - 5_000;
        assertThat(new FixedLease(END, before, HOLD).endByNow())
                .isBetween(END - TimeUnit.MILLISECONDS.toNanos(5_100), END - TimeUnit.MILLISECONDS.toNanos(4_900));
    }

    @Test
    void lastsNoLongerWhereTheWallClockWasPutBack() {
        assertThat(new FixedLease(END, Ticks.wallAhead() + 5_000, HOLD).endByNow())
                .isEqualTo(END);
    }
}
