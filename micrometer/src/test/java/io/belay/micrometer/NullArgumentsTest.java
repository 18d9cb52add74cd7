package io.belay.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.NullProbe;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Null where nothing says that it may be is refused at once, by its name. */
class NullArgumentsTest {
    @Test
    void allThatIsPublicRefusesNullByItsName() throws Exception {
        try (Belay belay = Belay.connect("memory:nulls")) {
            ObservationRegistry observations = ObservationRegistry.create();
            NullProbe probe = new NullProbe(
                    Set.of(),
                    List.of(
                            belay,
                            Tags.empty(),
                            new SimpleMeterRegistry(),
                            observations,
                            belay.lock("x"),
                            BelayMetrics.of(belay),
                            ObservedLocks.of(observations)));
            assertThat(probe.complaintsOf(List.of(BelayMetrics.class, ObservedLocks.class)))
                    .isEmpty();
        }
    }
}
