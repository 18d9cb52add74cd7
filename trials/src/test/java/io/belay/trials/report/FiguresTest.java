package io.belay.trials.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.fault.Fault;
import io.belay.trials.fault.Plan;
import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import io.belay.trials.plant.Plant;
import io.belay.trials.report.Figures.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static Figures figures(String store, String workload, Type... others) {
        List<Event> events = Stream.concat(Stream.of(Type.ASK, Type.GRANTED), Stream.of(others))
                .map(type -> new Event(type.ordinal() + 1, "0.0", 0, type, 1, "x", 1, 1, 5, 100))
                .toList();
        Plan plan = new Plan(store, Fault.NONE, workload, "belay", Plant.NONE, 10, 1, Path.of("histories"));
        return Figures.of(plan, new History(events), List.of(), 0, false);
    }

    @Test
    void jobsShowNothingUnlessEndsWereMovedAndLocksKept() {
        assertThat(figures("redis", "jobs").verdict()).isEqualTo(Verdict.NO_BITE);
        assertThat(figures("redis", "jobs", Type.MOVED).verdict()).isEqualTo(Verdict.NO_BITE);
        assertThat(figures("redis", "jobs", Type.KEPT).verdict()).isEqualTo(Verdict.NO_BITE);
        assertThat(figures("redis", "jobs", Type.MOVED, Type.KEPT).verdict()).isEqualTo(Verdict.HELD);
    }

    @Test
    void nothingIsKeptWhereClaimsHaveNoLeasesOfTheirOwn() {
        assertThat(figures("zookeeper", "jobs").verdict()).isEqualTo(Verdict.NO_BITE);
        assertThat(figures("zookeeper", "jobs", Type.MOVED).verdict()).isEqualTo(Verdict.HELD);
    }

    @Test
    void otherWorkloadsNeedNeither() {
        assertThat(figures("redis", "mutex").verdict()).isEqualTo(Verdict.HELD);
    }

    @Test
    void theRowOfJobsTellsBoth() {
        assertThat(figures("redis", "jobs", Type.MOVED, Type.MOVED, Type.KEPT).row())
                .startsWith("| `none` | `redis` | 1 | 1 | 0 | 1 | 2 |");
    }
}
