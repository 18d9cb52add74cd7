package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A member that is cut off from the others for a minute, and found silent once a second. */
class SilenceLinesTest {
    private long now = Long.MAX_VALUE - 5_000_000_000L; // it wraps
    private final SilenceLines lines = new SilenceLines(Duration.ofSeconds(1), () -> now);

    @Test
    void aMinuteOfSilenceIsSixLinesThatCountTheOthers() {
        List<String> logged = new ArrayList<>();
        for (int second = 0; second < 60; second++) {
            lines.next(Set.of("/10.0.0.7:2379")).ifPresent(logged::add);
            now += 1_000_000_000L;
        }
        String line = "Nothing has come from [/10.0.0.7:2379] for 1000 ms: connecting to etcd anew";
        String further = line + " (and 9 more like this since the last such line)";
        assertThat(logged).containsExactly(line, further, further, further, further, further);
    }
}
