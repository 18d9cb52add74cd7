package io.belay.trials.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.check.Promises;
import io.belay.trials.check.ToldInTime;
import io.belay.trials.plant.Plant;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static Promises promises(String store, Fault fault, String workload) {
        return new Plan(store, fault, workload, "belay", Plant.NONE, 10, 1, Path.of("histories")).promises();
    }

    @Test
    void whereNobodyDiesNobodyWaitsForTheClaimsOfTheDead() {
        assertThat(promises("etcd", Fault.KILL, "mutex").handOver()).hasMillis(4_500);
        assertThat(promises("etcd", Fault.NONE, "mutex").handOver()).hasMillis(1_833);
        assertThat(promises("redis", Fault.NONE, "order").handOver()).hasMillis(1_166);
        assertThat(promises("etcd", Fault.NONE, "fresh").handOver()).hasMillis(1_333);
        assertThat(promises("redis", Fault.NONE, "jobs").handOver())
                .as("with the time for which a lock is kept")
                .hasMillis(1_500);
    }

    @Test
    void whereNothingGoesWrongWhoWaitsIsTold() {
        assertThat(promises("redis", Fault.NONE, "mutex").besides()).hasAtLeastOneElementOfType(ToldInTime.class);
        assertThat(promises("redis", Fault.PAUSE, "mutex").besides()).noneMatch(ToldInTime.class::isInstance);
    }
}
