package io.belay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole clients keep what they promise, whatever goes wrong. {@code trials/simulate} runs for longer. */
@Tag("search")
class WholeClientTest {
    static LongStream seeds() {
        return LongStream.of(1, 2, 3);
    }

    private static List<String> run(long seed, int steps) throws Exception {
        return Simulate.run(List.of(), "--seed", Long.toString(seed), "--steps", Integer.toString(steps));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void promisesAreKept(long seed) throws Exception {
        List<String> lines = run(seed, 60_000);
        assertThat(lines).as("seed %d", seed).singleElement().asString().contains("clean");
    }

    /** Of two runs from one seed, each step is the same and at the same instant. */
    @Test
    void theSameSeedMakesTheSameRun() throws Exception {
        assertThat(hash(run(3, 30_000))).isEqualTo(hash(run(3, 30_000)));
        assertThat(hash(run(3, 30_000))).isNotEqualTo(hash(run(4, 30_000)));
    }

    private static String hash(List<String> lines) {
        String last = lines.get(lines.size() - 1);
        return last.substring(last.indexOf("hash"));
    }
}
