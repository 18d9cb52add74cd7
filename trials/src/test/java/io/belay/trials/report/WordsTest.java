package io.belay.trials.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.check.Violation;
import io.belay.trials.fault.Fault;
import io.belay.trials.fault.Plan;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import io.belay.trials.plant.Plant;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WordsTest {
    private static final long SECOND = 1_000_000_000;

    private static List<String> words(long... asks) {
        List<Event> events = LongStream.of(asks)
                .mapToObj(at -> new Event(at, "0.0", 0, Type.ASK, 1, "x", 1, 1, 5, 100))
                .toList();
        Plan plan = new Plan("redis", Fault.NONE, "mutex", "belay", Plant.NONE, 10, 1, Path.of("histories"));
        History history = new History(events);
        Violation broken = new Violation(Violation.Rule.DEFECT, "x", 3 * SECOND, 3 * SECOND, "it failed");
        return Words.of(Figures.of(plan, history, List.of(broken), 0, false), history, List.of(broken), List.of());
    }

    @Test
    void aBrokenPromiseIsToldWithTheTimeSinceSomebodyAskedFirst() {
        assertThat(words(SECOND, 2 * SECOND)).anyMatch(line -> line.contains(", the first after 2.0 s, such as"));
    }

    /** As where the first call fails. */
    @Test
    void aPromiseMayBeBrokenBeforeAnybodyHasAsked() {
        assertThat(words()).anyMatch(line -> line.contains(", the first after 0.0 s, such as"));
    }
}
