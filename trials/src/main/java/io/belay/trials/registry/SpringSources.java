package io.belay.trials.registry;

import io.belay.trials.registry.adapter.Standins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory with Spring Integration's tests, at any depth. It is only read: in copies the adapters stand in place of the
 * registries, of the stores' clients, and of what Spring's test context would inject; and a lock is to be equal to another
 * one of its key, where Spring's registries return the same object.
 */
final class SpringSources {
    private static final String ADAPTERS = Standins.class.getPackageName();

    /** What there are stand-ins for. The rest is on the class path. */
    private static final Pattern REPLACED_IMPORT = Pattern.compile(
            "(?m)^import (static )?(org[.]springframework[.]data[.]redis|org[.]springframework[.]integration[.](redis|test|zookeeper)"
                    + "|org[.]springframework[.]test|org[.]apache[.]curator[.]test|org[.]h2|org[.]mockito)[.].*;\\R");

    private static final Pattern CONTEXT = Pattern.compile("(?m)^@(SpringJUnitConfig|DirtiesContext).*\\R");
    private static final Pattern INJECTED = Pattern.compile("@Autowired\\s+(private|protected)? *(\\w+) (\\w+);");

    private final Path directory;

    private SpringSources(Path directory) {
        this.directory = directory;
    }

    /** @throws IllegalArgumentException if there is no such directory */
    static SpringSources in(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("there is no directory " + directory);
        }
        return new SpringSources(directory);
    }

    /** Finds the source of a test; empty if it is not there. */
    Optional<Path> find(SpringTest test) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.endsWith(test.title() + ".java")).findFirst();
        }
    }

    /** Writes a copy that knows the adapters. */
    static Path copy(Path source, Path to) throws IOException {
        Files.createDirectories(to);
        return Files.writeString(to.resolve(String.valueOf(source.getFileName())), adapted(Files.readString(source)));
    }

    static String adapted(String text) {
        String adapted = REPLACED_IMPORT.matcher(text).replaceAll("");
        adapted = CONTEXT.matcher(adapted).replaceAll("");
        adapted = INJECTED.matcher(adapted).replaceAll("$1 $2 $3 = Standins.of($2.class);");
        return adapted.replaceFirst(
                        "(?m)^(package .*;)$",
                        "$1\nimport " + ADAPTERS + ".*;\nimport static " + ADAPTERS + ".Standins.mock;\nimport "
                                + ADAPTERS + ".RedisLockRegistry.RedisLockType;")
                .replace("isSameAs(", "isEqualTo(")
                .replace("isNotSameAs(", "isNotEqualTo(");
    }
}
