package io.belay.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.internal.time.Threads;
import io.belay.recipes.BatchedLock;
import io.belay.servers.Pace;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What threads of Belay's have of those who happened to start them, for their own work and for users' code. */
class DaemonThreadTest {
    private static final InheritableThreadLocal<String> CALLER = new InheritableThreadLocal<>();

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final ClassLoader callers = new URLClassLoader(new URL[0], before);

    @BeforeEach
    void isACaller() {
        CALLER.set("a caller's");
        Thread.currentThread().setContextClassLoader(callers);
    }

    @AfterEach
    void isNone() {
        Thread.currentThread().setContextClassLoader(before);
        CALLER.remove();
    }

    private record Seen(String local, ClassLoader loader, boolean daemon) {
        static Seen now() {
            Thread thread = Thread.currentThread();
            return new Seen(CALLER.get(), thread.getContextClassLoader(), thread.isDaemon());
        }
    }

    @Test
    void threadsOfTheEngineInheritNothing() throws Exception {
        CompletableFuture<Seen> seen = new CompletableFuture<>();
        Threads.SYSTEM.start("t", () -> seen.complete(Seen.now()));
        assertThat(seen.get(Pace.seconds(), TimeUnit.SECONDS))
                .isEqualTo(new Seen(null, Belay.class.getClassLoader(), true));
    }

    @Test
    void aHandlerOfBatchesHasTheClassLoaderOfItsMakerAndNothingOfWhoSubmits() throws Exception {
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID())) {
            BatchedLock<String, Seen> batches = BatchedLock.of(
                    belay.lock("x"), 10, (entries, lease) -> entries.forEach(entry -> entry.complete(Seen.now())));
            Thread.currentThread().setContextClassLoader(null);
            assertThat(batches.submit("request").get(Pace.seconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Seen(null, callers, true));
        }
    }
}
