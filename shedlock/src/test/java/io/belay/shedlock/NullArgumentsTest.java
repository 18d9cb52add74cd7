package io.belay.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.NullProbe;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import org.junit.jupiter.api.Test;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        try (Belay belay = Belay.connect("memory:nulls")) {
            LockConfiguration job =
                    new LockConfiguration(ClockProvider.now(), "job", Duration.ofMinutes(1), Duration.ZERO);
            NullProbe probe = new NullProbe(
                    Set.of(), List.of(belay, "name", Duration.ofSeconds(1), job, BelayLockProvider.of(belay)));
            assertThat(probe.complaintsOf(List.of(BelayLockProvider.class))).isEmpty();
        }
    }
}
