package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Owner;
import io.belay.support.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LocalClockTest {
    private static final long SECOND = 1_000_000;

    @Test
    void sinceWhenSomebodyHasALockIsShownByTheWallClockThoughTheMachineWasSuspended() {
        LocalClock clock = new LocalClock();
        Moment opened = Moment.now();
        Duration night = Duration.ofHours(8);
        Moment now = new Moment(opened.nanos(), opened.wallOffset() + night.toMillis());
        Owner owner = Owner.of("client", "host", 1, "thread");
        long since = clock.micros(now) - 10 * SECOND;
        long wall = now.nanos() / 1000 + now.wallOffset() * 1000;
        assertThat(wall - clock.shown(owner.withSince(since), now).since()).isEqualTo(10 * SECOND);
        assertThat(wall - clock.micros(now)).isGreaterThan(night.minusMinutes(1).toMillis() * 1000);
        assertThat(clock.shown(owner, now).since()).isZero();
    }
}
