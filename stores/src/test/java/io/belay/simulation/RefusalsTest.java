package io.belay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The judge of refusals, where the store has no more what a client believes to hold and is about to give back. */
class RefusalsTest {
    private static Method scene;

    @BeforeAll
    static void weave() throws Exception {
        SimulationLoader loader = new SimulationLoader(List.of());
        loader.load(Simulate.PACKAGES);
        scene = Class.forName("io.belay.simulation.GivingBack", true, loader)
                .getMethod("run", boolean.class, String.class);
    }

    private static @Nullable Object run(boolean first, String tries) throws Exception {
        return scene.invoke(null, first, tries);
    }

    @Test
    void untilItsClientHearsOfTheReleaseItIsTakenForThatClient() throws Exception {
        assertThat(run(true, "user")).isNull();
        assertThat(run(true, "own")).isNull();
    }

    @Test
    void onceItsClientHasHeardOfTheReleaseItIsFree() throws Exception {
        assertThat(run(false, "user")).isNull();
        assertThat(run(false, "own")).asString().startsWith("REFUSALS");
    }

    @Test
    void forAnotherClientItIsFree() throws Exception {
        assertThat(run(true, "other")).asString().startsWith("REFUSALS");
    }
}
