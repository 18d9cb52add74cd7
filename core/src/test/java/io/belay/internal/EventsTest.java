package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.LockOptions;
import io.belay.support.Logged;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Of which locks the log tells where there are very many. */
class EventsTest {
    private final TestWorld world = new TestWorld();
    private final TestWorld.Node a = world.client();

    /** Has the leases of all these lost at once, and returns those locks of which a line tells. */
    private List<String> told(List<String> names) {
        LockOptions brief = LockOptions.defaults().withMaxHold(Duration.ofSeconds(1));
        names.forEach(name -> held(a.lock(name, brief).acquireAsync()));
        List<String> lines = Logged.during("maxHold", () -> world.pass(Duration.ofSeconds(1)));
        return names.stream()
                .filter(name -> lines.stream().anyMatch(line -> line.contains("'" + name + "'")))
                .toList();
    }

    /** No more than a thousand are told apart, but those of a moment ago only. */
    @Test
    void thatThereWereVeryManyHidesNoLossOfLater() {
        assertThat(told(List.of("w"))).containsExactly("w");
        told(IntStream.range(0, 1_200).mapToObj(number -> "x" + number).toList());
        world.pass(Duration.ofSeconds(11));
        assertThat(told(List.of("y", "z"))).containsExactly("y", "z");
    }
}
