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
import java.util.ArrayList;
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
    void aPlaceIsToHaveBeenSeenAndADeadlockToHaveBeenTold() {
        assertThat(figures("redis", "order").verdict()).isEqualTo(Verdict.NO_BITE);
        assertThat(figures("redis", "order", Type.QUEUED).verdict()).isEqualTo(Verdict.HELD);
        assertThat(figures("redis", "rings").verdict()).isEqualTo(Verdict.NO_BITE);
        assertThat(figures("redis", "rings", Type.REFUSED).verdict()).isEqualTo(Verdict.HELD);
    }

    @Test
    void otherWorkloadsNeedNeither() {
        assertThat(figures("redis", "mutex").verdict()).isEqualTo(Verdict.HELD);
    }

    /** A store that is away from 4 s to 6 s, and a hundred grants a second before that and after it, between these instants. */
    private static Figures afterAnOutage(String workload, double first, double last) {
        List<Event> events = new ArrayList<>();
        long second = 1_000_000_000;
        events.add(new Event(4 * second, "-", 0, Type.STRIKE, 0, "stop-all", 0, 0, 0, 0));
        events.add(new Event(6 * second, "-", 0, Type.CALM, 0, "stop-all", 0, 0, 0, 0));
        for (long hold = (long) (first * 100); hold < last * 100; hold++) {
            long now = hold * second / 100;
            if (now < 4 * second || now > 6 * second) {
                events.add(new Event(now - 1, "0.0", 0, Type.ASK, hold, "x", 1, 1, -1, 0));
                events.add(new Event(now, "0.0", 0, Type.GRANTED, hold, "x", 1, 1, hold, now + 1));
            }
        }
        Plan plan = new Plan("redis", Fault.OUTAGE, workload, "belay", Plant.NONE, 10, 1, Path.of("histories"));
        return Figures.of(plan, new History(events), List.of(), 1, false);
    }

    @Test
    void anOutageShowsNothingUnlessItWasJudgedWhetherAllAreServedAgain() {
        assertThat(afterAnOutage("mutex", 1, 8).verdict()).isEqualTo(Verdict.NO_BITE);
        assertThat(afterAnOutage("mutex", 1, 10).verdict()).isEqualTo(Verdict.HELD);
    }

    @Test
    void aStormShowsNothingUnlessItsRateWasJudged() {
        assertThat(afterAnOutage("storm", 3.5, 10).verdict()).isEqualTo(Verdict.NO_BITE);
        assertThat(afterAnOutage("mutex", 3.5, 10).verdict()).isEqualTo(Verdict.HELD);
        assertThat(afterAnOutage("storm", 1, 10).verdict()).isEqualTo(Verdict.HELD);
    }

    @Test
    void theRowOfJobsTellsBoth() {
        assertThat(figures("redis", "jobs", Type.MOVED, Type.MOVED, Type.KEPT).row())
                .startsWith("| `none` | `redis` | 1 | 1 | 0 | 1 | 2 |");
    }
}
