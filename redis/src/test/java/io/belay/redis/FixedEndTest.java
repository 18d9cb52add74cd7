package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The time to live of a key with a claim whose end was fixed: as long as the claim, and not much longer. */
class FixedEndTest {
    private static final long LEASE = 30_000_000;
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration BRIEF = Duration.ofSeconds(10);
    private static final Duration MEMORY = Duration.ofMillis(Resource.MEMORY / 1000);
    private static final Owner OWNER = Owner.of("client", "host", 1, "thread");

    private static Answer send(Store store, Request request) {
        return store.send(request).toCompletableFuture().join();
    }

    private static Request enter(int number) {
        return Request.Enter.of("x", ClaimId.of(1, number), ClaimSpec.whole(LEASE), 0, OWNER);
    }

    private static Answer fix(Store store, Answer held, int reweights, Duration lease) {
        long micros = lease.toNanos() / 1000;
        Answer fixed = send(store, Request.Fix.of("x", ClaimId.of(1, 1), held.sequence(), reweights, micros));
        assertThat(fixed.deadline() - fixed.time()).isEqualTo(micros);
        return fixed;
    }

    private static Duration left(RedisServer server) throws Exception {
        return Duration.ofMillis(Long.parseLong(server.command("PTTL", "belay:x")));
    }

    /** With few and with many that wait: the record is then written anew, or changed in place. */
    @ParameterizedTest
    @CsvSource({"V6_2, 0", "V7_0, 0", "V7_0, 1", "V7_0, 40"})
    void theKeyIsKeptAsLongAsTheClaim(Version version, int waiting) throws Exception {
        try (RedisServer server = RedisServer.start(version);
                Store store = Redis.at(server.url() + "?timeout=1m").open(1, new RecordingListener())) {
            Answer held = send(store, enter(1));
            for (int i = 1; i <= waiting; i++) {
                send(store, enter(1 + i));
            }
            Answer fixed = fix(store, held, 0, YEAR);
            assertThat(left(server)).isGreaterThan(YEAR);
            Answer renewed = send(store, Request.Renew.of("x", ClaimId.of(1, 1), held.sequence(), LEASE, 0, false));
            assertThat(renewed.deadline()).isEqualTo(fixed.deadline());
            assertThat(left(server)).isGreaterThan(YEAR);

            fix(store, held, 1, BRIEF);
            Duration last = waiting == 0 ? BRIEF : Duration.ofMillis(LEASE / 1000);
            assertThat(left(server)).isBetween(MEMORY, last.plus(MEMORY).plusSeconds(61));
        }
    }

    /** As a renewal can: whoever holds a lock has to be able to keep it, and to let go of it. */
    @Test
    void itIsFixedThoughTheMemoryIsFull() throws Exception {
        try (RedisServer server = RedisServer.start(Version.V7_0);
                Store store = Redis.at(server.url() + "?timeout=1m").open(1, new RecordingListener())) {
            Answer held = send(store, enter(1));
            server.command("CONFIG", "SET", "maxmemory", "1");
            fix(store, held, 0, YEAR);
            fix(store, held, 1, BRIEF);
        }
    }
}
