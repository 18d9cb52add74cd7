package io.belay.servers.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("selftest")
class ServerCacheTest {
    @TempDir
    Path directory;

    @Test
    void itLiesWhereTheUsersCacheLies() {
        assertThat(ServerCache.ofUser(Map.of(), "/home/u").path("x"))
                .isEqualTo(Path.of("/home/u/.cache/belay/servers/x"));
        assertThat(ServerCache.ofUser(Map.of("XDG_CACHE_HOME", "/c"), "/home/u").path("x"))
                .isEqualTo(Path.of("/c/belay/servers/x"));
        assertThat(ServerCache.ofUser(Map.of("XDG_CACHE_HOME", "c"), "/home/u").path("x"))
                .isEqualTo(Path.of("/home/u/.cache/belay/servers/x"));
    }

    @Test
    void whatIsBeingFilledIsNotThereYet() throws Exception {
        ServerCache cache = new ServerCache(directory.resolve("new"));
        Path path = cache.get("x", (empty, later) -> {
            Files.writeString(empty.resolve("file"), "whole");
            assertThat(cache.has("x")).isFalse();
            assertThat(later).isEqualTo(cache.path("x"));
        });
        assertThat(path.resolve("file")).hasContent("whole");
    }

    @Test
    void whatFailedHalfWayIsFilledAnew() throws Exception {
        ServerCache cache = new ServerCache(directory);
        assertThatThrownBy(() -> cache.get("x", (empty, later) -> {
                    Files.writeString(empty.resolve("half"), "");
                    throw new IOException("the line was cut");
                }))
                .hasMessage("the line was cut");
        assertThat(directory).isDirectoryNotContaining("glob:**partial");

        // As a build leaves it that was killed.
        Files.createDirectories(directory.resolve(".x.partial/usr"));
        assertThat(cache.has("x")).isFalse();
        cache.get("x", (empty, later) -> Files.createFile(empty.resolve("file")));
        assertThat(cache.path("x")).isDirectoryContaining("glob:**file").isDirectoryNotContaining("glob:**usr");
    }

    @Test
    void ofTwoThreadsOneFills() throws Exception {
        ServerCache cache = new ServerCache(directory);
        AtomicInteger filled = new AtomicInteger();
        CompletableFuture<?>[] all = new CompletableFuture<?>[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = CompletableFuture.runAsync(() -> {
                try {
                    cache.get("x", (empty, later) -> filled.incrementAndGet());
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        CompletableFuture.allOf(all).get(Pace.seconds(), TimeUnit.SECONDS);
        assertThat(filled).hasValue(1);
    }

    @Test
    void anotherBuildThatFillsIsWaitedForAndNotOneThatWasKilled() throws Exception {
        ServerCache cache = new ServerCache(directory);
        AtomicInteger filled = new AtomicInteger();
        try (ChildJvm other =
                ChildJvm.start(OtherBuild.class, directory.resolve(".lock").toString())) {
            assertThat(other.ask("lock")).isEqualTo("locked");
            CompletableFuture<Void> own = CompletableFuture.runAsync(() -> {
                try {
                    cache.get("x", (empty, later) -> filled.incrementAndGet());
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> own.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(filled).hasValue(0);
            other.process.destroyForcibly();
            own.get(Pace.seconds(), TimeUnit.SECONDS);
        }
        assertThat(filled).hasValue(1);
    }

    /** Locks the file that it is given, when it is asked, for as long as it lives. */
    static final class OtherBuild {
        private OtherBuild() {}

        public static void main(String... arguments) throws IOException {
            try (FileChannel file =
                    FileChannel.open(Path.of(arguments[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                while (System.in.read() != '\n') {
                    // The question is of no matter.
                }
                file.lock();
                System.out.println("locked");
                while (System.in.read() >= 0) {
                    // Until whoever asked has ended.
                }
            }
        }
    }
}
