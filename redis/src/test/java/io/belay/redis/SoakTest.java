package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Plateau;
import io.belay.servers.RedisCluster;
import io.belay.servers.RedisServer;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients, names, waits, listeners and connections come and go on every kind of store, and after a warm-up nothing rises:
 * live heap, threads, open files, and the connections and keys of servers. {@code -Dbelay.soak=PT10M} goes on for ten
 * minutes on each store; the usual one is a matter of seconds, and finds what each client or each round leaves behind.
 */
@Tag("processes")
@Timeout(36_000)
@Tag("long")
class SoakTest {
    private static final int SAMPLES = 5;
    private static final int LEAST_ROUNDS = 6;

    /** Of each half of the samples; the warm-up is as long. */
    private static final Duration PART =
            Duration.parse(System.getProperty("belay.soak", "PT0.9S")).dividedBy(3);

    /** What is outside of this JVM. */
    private interface Outside {
        Map<String, Long> levels() throws IOException;

        default void disturb() throws IOException {}
    }

    private static void soak(String url, Outside outside) throws Exception {
        Plateau plateau = new Plateau();
        try (Churn churn = new Churn(url)) {
            part(churn, outside, null);
            part(churn, outside, plateau);
            part(churn, outside, plateau);
        }
        System.out.println(url + ": " + plateau);
        plateau.assertFlat();
    }

    private static void part(Churn churn, Outside outside, @Nullable Plateau plateau) throws Exception {
        long begun = System.nanoTime();
        int rounds = 0;
        for (int sample = 1; sample <= SAMPLES; sample++) {
            while (rounds < sample * LEAST_ROUNDS / SAMPLES
                    || System.nanoTime() - begun < PART.toNanos() * sample / SAMPLES) {
                churn.round();
                rounds++;
            }
            if (plateau != null) {
                plateau.sample(outside.levels());
            }
            if (sample % 3 == 0) {
                outside.disturb();
            }
        }
    }

    @Test
    void memory() throws Exception {
        soak("memory:soak", Map::of);
    }

    @Test
    void file(@TempDir Path directory) throws Exception {
        soak("file:" + directory, () -> Map.of("files of the store", (long) files(directory)));
    }

    /** Clients end while it counts, and what was there a moment ago is not any more. */
    private static int files(Path directory) throws IOException {
        AtomicInteger count = new AtomicInteger();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                count.incrementAndGet();
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return count.get();
    }

    @Test
    void redis() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0)) {
            soak(server.url(), new Servers(List.of(server)));
            assertEveryKeyEnds(server);
            Told.assertNoConnections(server);
        }
        Told.assertNoThreads();
    }

    @Test
    void cluster() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(RedisServer.Version.V7_0)) {
            String url = "redis-cluster" + cluster.nodes().get(0).url().substring("redis".length());
            soak(url, new Servers(cluster.nodes()));
            for (RedisServer node : cluster.nodes()) {
                if (node.role().equals("master")) {
                    assertEveryKeyEnds(node);
                }
            }
        }
        Told.assertNoThreads();
    }

    /** What is in use no more is forgotten after two minutes, without anybody's doing. */
    private static void assertEveryKeyEnds(RedisServer server) {
        String forEver = "local n = 0 for _, key in ipairs(redis.call('KEYS', '*')) do"
                + " if redis.call('PTTL', key) == -1 then n = n + 1 end end return n";
        await().untilAsserted(
                        () -> assertThat(server.command("EVAL", forEver, "0")).isEqualTo("0"));
    }

    /** Servers whose clients lose their connections now and then. */
    private record Servers(List<RedisServer> servers) implements Outside {
        @Override
        public Map<String, Long> levels() throws IOException {
            long connections = 0;
            long keys = 0;
            for (RedisServer server : servers) {
                connections += server.command("CLIENT", "LIST").lines().count();
                keys += Long.parseLong(server.command("DBSIZE"));
            }
            return Map.of("connections", connections, "keys", keys);
        }

        @Override
        public void disturb() throws IOException {
            for (RedisServer server : servers) {
                server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                server.command("CLIENT", "KILL", "TYPE", "pubsub");
            }
        }
    }
}
