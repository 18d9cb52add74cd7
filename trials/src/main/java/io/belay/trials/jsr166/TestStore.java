package io.belay.trials.jsr166;

import io.belay.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A store of a run's own, gone when it is closed. */
record TestStore(String url, Closing closing) implements AutoCloseable {
    static final List<String> NAMES = List.of("memory", "file", "redis");

    /** Puts the store away. */
    interface Closing {
        void run() throws IOException;
    }

    static TestStore open(String name) throws IOException, InterruptedException {
        return switch (name) {
            case "memory" -> new TestStore("memory:jsr166", () -> {});
            case "file" -> {
                Path directory = Files.createTempDirectory("belay-jsr166-");
                yield new TestStore("file:" + directory, () -> delete(directory));
            }
            case "redis" -> {
                RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
                yield new TestStore(server.url(), server::close);
            }
            default -> throw new IllegalArgumentException("no store '" + name + "'");
        };
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        closing.run();
    }
}
