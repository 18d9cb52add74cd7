package io.belay.tck;

import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The whole suite on a store that keeps every rule; {@link MutantsTest} breaks them one by one. */
@Tag("selftest")
@Tag("long")
class SimulatedTckTest extends StoreTck {
    @Override
    protected StoreSpec open() {
        return new SimulatedServer(Fault.NONE, Duration.ofSeconds(20));
    }
}
