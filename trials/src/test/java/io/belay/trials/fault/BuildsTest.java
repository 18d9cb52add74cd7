package io.belay.trials.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.trials.history.Event;
import io.belay.trials.history.Event.Type;
import io.belay.trials.history.History;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildsTest {
    @TempDir
    private Path other;

    private final List<Event> events = new ArrayList<>();

    private static String path(String... entries) {
        return String.join(File.pathSeparator, entries);
    }

    @Test
    void everySecondClientRunsTheLibraryOfTheOtherBuild() throws Exception {
        Path core = Files.createFile(other.resolve("belay-core-0.1.0.jar"));
        Files.createFile(other.resolve("lettuce-core-1.jar"));
        String present =
                path("/lib/belay-trials-0.2.jar", "/lib/belay-core-0.2-SNAPSHOT.jar", "/lib/lettuce-core-7.jar");
        Builds builds = Builds.two(present, other);
        String mixed = path("/lib/belay-trials-0.2.jar", core.toString(), "/lib/lettuce-core-7.jar");
        assertThat(List.of(builds.classPath(0), builds.classPath(1), builds.classPath(2)))
                .containsExactly(present, mixed, present);
    }

    @Test
    void aDirectoryWithoutTheLibraryIsRefused() {
        assertThatThrownBy(() -> Builds.two(path("/lib/belay-core-0.2.jar"), other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("scripts/jars-of");
    }

    private void held(long from, String process) {
        long id = events.size() + 1L;
        events.add(new Event(from, process, 0, Type.ASK, id, "lock", 1, 1, -1, 0));
        events.add(new Event(from + 1, process, 0, Type.GRANTED, id, "lock", 1, 1, from, from + 100));
        events.add(new Event(from + 2, process, 0, Type.RELEASE, id, "lock", 1, 1, from, 0));
    }

    @Test
    void handOversAreCountedInBothDirections() {
        held(10, "0.0");
        held(20, "1.0");
        held(30, "3.2");
        held(40, "2.0");
        held(50, "4.0");
        held(60, "1.1");
        assertThat(Builds.handOvers(new History(events))).containsExactly(2, 1);
    }
}
