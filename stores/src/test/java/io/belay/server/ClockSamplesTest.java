package io.belay.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Finding;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClockSamplesTest {
    private static final long START = 1_700_000_000_000_000L;

    /** The time since the test began, in microseconds; only pauses and questions let it pass. */
    private long now;

    private long trip = 200;
    private boolean interrupted;

    private final ClockSamples.Local local = new ClockSamples.Local() {
        @Override
        public long nanos() {
            return now * 1000;
        }

        @Override
        public long micros() {
            return START + now;
        }

        @Override
        public void pause(Duration time) throws InterruptedException {
            now += time.toNanos() / 1000;
            if (interrupted) {
                throw new InterruptedException();
            }
        }
    };

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    /** Looks at a server whose clock shows what becomes of the time since the test began. */
    private List<Finding> seen(LongUnaryOperator clock) {
        return ClockSamples.take(
                        () -> {
                            now += trip / 2;
                            long there = START + clock.applyAsLong(now);
                            now += trip - trip / 2;
                            return there;
                        },
                        Duration.ofNanos(1000),
                        Duration.ofSeconds(1),
                        local)
                .findings();
    }

    private String told(LongUnaryOperator clock) {
        return seen(clock).stream()
                .map(each -> each.severity() + " " + each.subject() + " " + each.finding())
                .collect(Collectors.joining("; "));
    }

    @Test
    void aClockThatRunsAlikeIsNotMentioned() {
        assertThat(told(time -> time)).isEmpty();
        assertThat(told(time -> time + 999_000)).isEmpty();
        assertThat(told(time -> time * 101 / 100)).isEmpty();
        trip = 700_000;
        assertThat(told(time -> time - 999_000)).isEmpty();
    }

    @Test
    void aStepAheadIsADangerToUsualLeases() {
        assertThat(told(time -> time < 500_000 ? time : time + 400_000))
                .startsWith("DANGER clock The server's clock ran ahead by 399 ms ")
                .contains(" less than 39 s ")
                .doesNotContain(";");
        now = 0;
        assertThat(told(time -> time < 500_000 ? time : time + 50_000))
                .startsWith("WARNING clock The server's clock ran ahead by 49 ms ")
                .contains(" less than 4 s ");
        now = 0;
        assertThat(told(time -> time < 500_000 ? time : time + 12_000)).isEmpty();
    }

    @Test
    void aClockThatIsTooFastRunsAhead() {
        assertThat(told(time -> time * 105 / 100)).startsWith("WARNING clock The server's clock ran ahead by 49 ms ");
    }

    @Test
    void aStepBackLetsTheLeasesOfTheDeadLast() {
        assertThat(told(time -> time < 500_000 ? time : time - 400_000))
                .startsWith("WARNING clock The server's clock fell back by 399 ms ");
        now = 0;
        assertThat(told(time -> time < 500_000 ? time : time - 50_000))
                .startsWith("NOTE clock The server's clock fell back by 49 ms ");
    }

    @Test
    void aRoundTripHidesAStepThatIsNoLonger() {
        trip = 450_000;
        assertThat(told(time -> time < 1_000_000 ? time : time + 400_000)).isEmpty();
    }

    @Test
    void anOffsetIsToldWithItsUncertainty() {
        trip = 4000;
        assertThat(told(time -> time + 1_500_000))
                .startsWith("NOTE clock The server's clock is 1500 ms (give or take 3) ahead of this machine's");
        assertThat(told(time -> time - 1_500_000))
                .startsWith("NOTE clock The server's clock is 1500 ms (give or take 3) behind this machine's");
        assertThat(told(time -> time + 1_001_000)).isEmpty();
    }

    @Test
    void whoIsInterruptedTellsWhatWasSeen() {
        interrupted = true;
        assertThat(told(time -> time + 1_500_000)).startsWith("NOTE clock ");
        assertThat(now).isEqualTo(200_200);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }
}
