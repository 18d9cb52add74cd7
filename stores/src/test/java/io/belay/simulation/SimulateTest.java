package io.belay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.internal.PlantedFault;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as found where a fault is planted. */
class SimulateTest {
    private static final String FAULT = "ONCE_FREES_ITS_NAME";
    private static final String[] PLANTED = {"--planted", FAULT, "--as-it-is", "--steps", "20000"};

    @Test
    void aFaultIsFoundInAWorldThatIsCleanWithoutItAlone() throws Exception {
        List<String> found = Simulate.run(PlantedFault.switches(FAULT), PLANTED);

        assertThat(Simulate.isClean(List.of(), found, PLANTED)).isTrue();
        // As if it were a fault of the engine's own.
        assertThat(Simulate.isClean(PlantedFault.switches(FAULT), found, PLANTED))
                .isFalse();
    }
}
