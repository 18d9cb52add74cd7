package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.Stalls;
import io.belay.support.Log;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** What users are told: one line, without a password in it or in its causes or in the log, and without a stack there. */
final class Told {
    /** Part of all passwords of the tests. */
    static final String SECRET = "geheim";

    private Told() {}

    static void warmUp() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0)) {
            Redis redis = Redis.at(server.url()).withTimeout(Duration.ofMinutes(1));
            Belay.connect(redis, BelayOptions.defaults()).close();
        }
    }

    /** The message of what cannot be mended by trying again. */
    static String unusable(ThrowingCallable call) {
        return message(StoreMisconfiguredException.class, call);
    }

    static String unusable(String url) {
        return unusable(() -> Belay.connect(url).close());
    }

    /** The message of what may be over soon. */
    static String unavailable(ThrowingCallable call) {
        return message(StoreUnavailableException.class, call);
    }

    static String unavailable(String url) {
        return unavailable(() -> Belay.connect(url).close());
    }

    /**
     * Connects to what says nothing, which is given up in time. A machine that is busy looks less often whether it
     * does, and has shown nothing then.
     *
     * @param url ends with where the time limit is to be written
     * @param check is given the message, and the time limit as it stands there
     */
    static void givenUp(String url, BiConsumer<String, String> check) throws Exception {
        Premise.withLease(Duration.ofMillis(300), limit -> {
            try (Stalls stalls = Stalls.watch()) {
                String message = unavailable(url + limit.toMillis() + "ms");
                Duration taken = stalls.taken();
                stalls.inTime(taken.compareTo(limit.multipliedBy(25)) < 0, "given up in time");
                assertThat(taken).isGreaterThan(limit.minusMillis(10));
                check.accept(message, limit.toMillis() + " ms");
            }
        });
    }

    static String unusable(Redis redis) {
        return unusable(() -> Belay.connect(redis, BelayOptions.defaults()).close());
    }

    /** The message of either. */
    static String refused(String url) {
        return message(BelayException.class, () -> Belay.connect(url).close());
    }

    private static String message(Class<? extends BelayException> type, ThrowingCallable call) {
        Throwable thrown = quietly(call);
        assertThat(thrown).isInstanceOf(type);
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            assertThat(e.toString()).doesNotContain(SECRET);
        }
        return assertThat(thrown.getMessage())
                .doesNotContain("\n", "\r", "Exception", "null")
                .hasSizeBetween(25, 400)
                .actual();
    }

    /** Calls it. Returns what it throws. The log has no password in it, no stack and nothing of Lettuce's own troubles. */
    static @Nullable Throwable quietly(ThrowingCallable call) {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Throwable thrown = into(log, call);
        assertThat(log.toString(StandardCharsets.UTF_8))
                .doesNotContain(SECRET, "\tat ", "Connection is already closed");
        return thrown;
    }

    /** Calls what throws nothing. Returns the lines that are logged meanwhile. */
    static List<String> logged(ThrowingCallable call) {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        assertThat(into(log, call)).isNull();
        return log.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static @Nullable Throwable into(ByteArrayOutputStream log, ThrowingCallable call) {
        PrintStream before = System.err;
        try (PrintStream capture = new PrintStream(log, true, StandardCharsets.UTF_8)) {
            System.setErr(capture);
            Throwable thrown = catchThrowable(call);
            Log.flush(Duration.ofMinutes(1));
            return thrown;
        } finally {
            System.setErr(before);
        }
    }

    /** No thread of Lettuce's is left. */
    static void assertNoThreads() {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("lettuce-") || name.startsWith("belay-keeper")));
    }

    /** Nobody has written anything, and nobody is connected but the one who asks. */
    static void assertUntouched(RedisServer server) throws Exception {
        assertThat(server.command("DBSIZE")).isEqualTo("0");
        assertNoConnections(server);
    }

    static void assertNoConnections(RedisServer server) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(server.command("CLIENT", "LIST", "TYPE", "normal")
                                + server.command("CLIENT", "LIST", "TYPE", "pubsub"))
                        .containsOnlyOnce("id="));
    }
}
