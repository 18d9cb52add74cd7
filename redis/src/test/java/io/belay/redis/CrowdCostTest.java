package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The commands that scripts run on the server when the claims of a client go that has a thousand in one queue. */
class CrowdCostTest {
    private static final int CROWD = 1_000;
    private static final int PERMITS = 100;
    private static final long HOLDER = 1;
    private static final long CLIENT = 0x9e37_79b9_7f4a_7c15L;

    private static Store open(RedisServer redis, long client) {
        return Redis.at(redis.url()).open(client, new RecordingListener());
    }

    private static CompletableFuture<Answer> enter(Store store, long client, long number) {
        ClaimSpec spec = ClaimSpec.of(PERMITS, 1, 600_000_000);
        Owner owner = Owner.of("client", "host", 1, "thread-" + number);
        return store.send(Request.Enter.of("x", ClaimId.of(client, number), spec, 0, owner))
                .toCompletableFuture();
    }

    private static CompletableFuture<Answer> leave(Store store, long client, long number) {
        return store.send(Request.Leave.of("x", ClaimId.of(client, number), false))
                .toCompletableFuture();
    }

    private static void enterAll(Store store, long client, int count) {
        CompletableFuture.allOf(LongStream.rangeClosed(1, count)
                        .mapToObj(number -> enter(store, client, number))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    private static long calls(RedisServer redis, String command) throws Exception {
        return redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^:]*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    private static void assertListed(Store store, LongStream holders, LongStream waiters) {
        Resource left =
                store.inspect("x").toCompletableFuture().join().resource().orElseThrow();
        assertThat(left.granted()).isEqualTo(PERMITS);
        assertThat(left.claims())
                .map(Claim::id)
                .containsExactlyElementsOf(Stream.concat(
                                holders.mapToObj(number -> ClaimId.of(HOLDER, number)),
                                waiters.mapToObj(number -> ClaimId.of(CLIENT, number)))
                        .toList());
    }

    /** Those who have waited longest, as where a time limit ends. The rest of the record stays where it is. */
    @ParameterizedTest
    @EnumSource
    void thoseWhoGiveUpInTheirOrderAreTakenOutInPlace(Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Store holder = open(redis, HOLDER);
                Store store = open(redis, CLIENT)) {
            enterAll(holder, HOLDER, PERMITS);
            enterAll(store, CLIENT, CROWD);
            redis.command("CONFIG", "RESETSTAT");
            for (long number = 1; number <= CROWD / 2; number++) {
                long next = number % 2 == 1 ? number + 1 : number - 1; // but not quite in order
                assertThat(leave(store, CLIENT, next).join().state()).isEqualTo(Answer.State.LEFT);
            }
            assertThat(calls(redis, "set"))
                    .as("a record is written anew once an eighth is a gap")
                    .isLessThan(CROWD / 20);
            assertThat(calls(redis, "get")).as("nor is all of it fetched").isLessThan(CROWD / 20);
            assertThat(calls(redis, "setrange"))
                    .as("those before it, and the numbers before them")
                    .isLessThanOrEqualTo(CROWD);
            assertListed(holder, LongStream.rangeClosed(1, PERMITS), LongStream.rangeClosed(CROWD / 2 + 1, CROWD));
        }
    }

    /** Its process was killed. A message to each of its claims would keep the server from all others meanwhile. */
    @ParameterizedTest
    @EnumSource
    void allOfOneThatIsGoneArePassedOverTogether(Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Store holder = open(redis, HOLDER)) {
            enterAll(holder, HOLDER, PERMITS);
            Store store = open(redis, CLIENT);
            enterAll(store, CLIENT, CROWD);
            store.close();
            String channel = "belay:" + Wire.hex(CLIENT);
            await().until(() -> redis.command("PUBSUB", "NUMSUB", channel).equals(channel + "\n0"));
            enter(holder, HOLDER, PERMITS + 1).join();
            redis.command("CONFIG", "RESETSTAT");
            assertThat(leave(holder, HOLDER, 1).join().state()).isEqualTo(Answer.State.LEFT);
            assertThat(calls(redis, "publish")).isEqualTo(2);
            assertListed(holder, LongStream.rangeClosed(2, PERMITS + 1), LongStream.empty());
        }
    }
}
