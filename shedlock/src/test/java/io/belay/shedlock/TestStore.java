package io.belay.shedlock;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.PostgresServer;
import io.belay.servers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A store of the tests, started when it is first asked for. Its servers end with this JVM. */
enum TestStore {
    MEMORY(() -> "memory:shedlock"),
    FILE(() -> "file:" + deletedAtTheEnd(Files.createTempDirectory("belay-shedlock-"))),
    REDIS(() -> RedisServer.start(RedisServer.Version.V7_0).url()),
    POSTGRESQL(() -> {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        return PostgresServer.start().url() + "&belay-create=true";
    }),
    H2(() -> "jdbc:h2:mem:shedlock;DB_CLOSE_DELAY=-1;belay-create=true");

    private final Callable<String> starter;
    private @Nullable String url;

    TestStore(Callable<String> starter) {
        this.starter = starter;
    }

    /** Returns what to connect to, from this process and, but for those in memory, from others. */
    synchronized String url() throws Exception {
        if (url == null) {
            url = starter.call();
        }
        return url;
    }

    private static Path deletedAtTheEnd(Path directory) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try (var files = Files.walk(directory)) {
                files.sorted(java.util.Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }));
        return directory;
    }
}
