package io.belay.trials.jsr166;

import io.belay.servers.EtcdServer;
import io.belay.servers.PostgresServer;
import io.belay.servers.RedisServer;
import io.belay.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A store of a run's own, gone when it is closed. */
public record TestStore(String url, Closing closing) implements AutoCloseable {
    static final List<String> NAMES = List.of("memory", "file", "redis", "zookeeper", "etcd", "postgresql");

    /** Puts the store away. */
    public interface Closing {
        void run() throws IOException;
    }

    public static TestStore open(String name) throws IOException, InterruptedException {
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
            case "zookeeper" -> {
                ZooKeeperServer server = ZooKeeperServer.start();
                yield new TestStore(server.url(), server::close);
            }
            case "etcd" -> {
                EtcdServer server = EtcdServer.start();
                yield new TestStore("etcd://127.0.0.1:" + server.port(), server::close);
            }
            case "postgresql" -> {
                PostgresServer server = PostgresServer.start();
                yield new TestStore(server.url() + "&belay-create=true", server::close);
            }
            default -> throw new IllegalArgumentException("no store '" + name + "'");
        };
    }

    /** Says what this machine lacks for a store; empty if it can be opened. */
    static Optional<String> whyNot(String name) {
        if (name.equals("etcd") && !EtcdServer.isInstalled()) {
            return Optional.of("there is no program etcd in the PATH; on Debian: apt-get install etcd-server");
        }
        if (name.equals("postgresql") && !PostgresServer.isInstalled()) {
            return Optional.of("there are no programs of PostgreSQL; on Debian: apt-get install postgresql");
        }
        return Optional.empty();
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
