package io.belay.trials.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Clears a trial's directory of all that is not worth keeping. */
final class Leftovers {
    private static final List<String> KEPT = List.of(".history", ".log");

    private Leftovers() {}

    static void clear(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(directory)) {
            // What is in a directory goes before it.
            files = walk.sorted(Comparator.reverseOrder())
                    .filter(file -> !file.equals(directory) && KEPT.stream().noneMatch(file.toString()::endsWith))
                    .toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
