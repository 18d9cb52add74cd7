package io.belay.bench;

import io.belay.bench.cases.Case;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The Java that workers run on: this one, or a later one that bench/run has found, for cases that need it. */
final class Javas {
    /** The environment variable that names the home of a JDK 21 or later. */
    static final String LATER = "BELAY_BENCH_JAVA_21";

    private static final int TWENTY_ONE = 21;

    private Javas() {}

    static Optional<Path> of(Case task) {
        if (Runtime.version().feature() >= task.java()) {
            return Optional.of(Path.of(System.getProperty("java.home")));
        }
        String later = System.getenv(LATER);
        return Optional.ofNullable(later)
                .filter(home -> !home.isEmpty())
                .map(Path::of)
                .filter(home -> feature(home) >= task.java());
    }

    static int feature(Path home) {
        return home.equals(Path.of(System.getProperty("java.home")))
                ? Runtime.version().feature()
                : Runtime.Version.parse(version(home)).feature();
    }

    static String version(Path home) {
        try {
            return Files.readAllLines(home.resolve("release")).stream()
                    .filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> line.substring(line.indexOf('=') + 1).replace("\"", ""))
                    .findFirst()
                    .orElse(Integer.toString(TWENTY_ONE));
        } catch (IOException e) {
            return Integer.toString(TWENTY_ONE);
        }
    }

    /** Returns the versions that a run may use, for the report. */
    static String describe() {
        String own = System.getProperty("java.runtime.version");
        String later = System.getenv(LATER);
        return later == null || later.isEmpty() || Runtime.version().feature() >= TWENTY_ONE
                ? own
                : own + "; " + version(Path.of(later)) + " for virtual threads";
    }
}
