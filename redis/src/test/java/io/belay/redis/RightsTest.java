package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.servers.Monitor;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The user that docs/redis.md tells to make has the rights it needs, and no other. */
class RightsTest {
    private static final String RIGHTS = Settings.parse("redis://localhost").rights();

    private static String line() throws Exception {
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "redis.md"));
        return lines.stream()
                .map(String::strip)
                .filter(line -> line.startsWith("ACL SETUSER shop on "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void thePageNamesThem() throws Exception {
        assertThat(line()).isEqualTo("ACL SETUSER shop on >PASSWORD " + RIGHTS);
        assertThat(Settings.parse("redis://localhost/3?prefix=a:").rights())
                .isEqualTo(RIGHTS.replace("belay:", "a:") + " +select");
        assertThat(Files.readString(Path.of("..", "docs", "redis.md")))
                .contains("**All other users of the server need `resetchannels`**");
    }

    @ParameterizedTest
    @EnumSource
    void theyAreEnoughAndNoneIsIdle(Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version)) {
            server.command(line().split(" "));
            String url = server.url().replace("//", "//shop:PASSWORD@");
            Set<String> used = new TreeSet<>();
            try (Monitor monitor = server.monitor()) {
                locks(url);
                requests(url);
                for (String line : monitor.lines()) {
                    used.add("+" + line.split("\"")[1].toLowerCase(Locale.ROOT));
                }
            }
            // Everybody may greet.
            used.remove("+hello");
            assertThat(used)
                    .containsExactlyInAnyOrder(
                            RIGHTS.substring(RIGHTS.indexOf('+')).split(" "));
            assertThat(server.command("ACL", "LOG")).as("what was denied").isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void toListNamesTakesOneMoreAndLocksDoNotNeedIt(Version version) throws Exception {
        assertThat(Files.readString(Path.of("..", "docs", "redis.md"))).contains("ACL SETUSER shop +scan\n");
        try (RedisServer server = RedisServer.start(version)) {
            server.command(line().split(" "));
            String url = server.url().replace("//", "//shop:PASSWORD@");
            BelayOptions patient = BelayOptions.defaults().withRequestTimeout(Pace.patience());
            try (Belay belay = Belay.connect(url + "?timeout=1m", patient);
                    Lease lease = belay.lock("stock").acquire()) {
                assertThat(Told.unusable(() -> belay.admin().names("").toList()))
                        .startsWith("Listing the names failed: Redis at 127.0.0.1:" + server.port()
                                + " denies its user the right to list names, which locks do not need: grant it by ACL"
                                + " SETUSER NAME +scan (")
                        .contains("'scan'");
                assertThat(lease.isHeld()).isTrue();
                server.command("ACL", "SETUSER", "shop", "+scan");
                assertThat(belay.admin().names("")).containsExactly("stock");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoMayPublishAloneHasNoClientGiveBackTheLockOfAnother(Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version)) {
            server.command("ACL", "SETUSER", "other", "on", ">PASSWORD", "~other:*", "allchannels", "+@all");
            try (Belay victim = Belay.connect(server.url());
                    Lease held = victim.lock("stock").acquire()) {
                String channel = server.command("PUBSUB", "CHANNELS", "belay:*");
                try (Belay asked = Belay.connect(server.url())) {
                    List<String> both = server.command("PUBSUB", "CHANNELS", "belay:*")
                            .lines()
                            .toList();
                    String its = both.get(1 - both.indexOf(channel));
                    asked.lock("probe").acquire().close(); // so that it has no claim of that number
                    byte[] foreign = grant(channel.substring("belay:".length()));
                    List<String> log = Told.logged(() -> {
                        publish(server, its, foreign);
                        publish(server, its, foreign);
                        // Behind the messages on the same connection, and behind whatever they have its client send.
                        asked.lock("probe").acquire().close();
                    });
                    assertThat(log)
                            .as("whoever may publish fills no disk")
                            .filteredOn(line -> line.contains(" WARN ") && line.contains("what Belay has not written"))
                            .hasSize(1);
                    assertThat(asked.lock("stock").tryAcquire()).isEmpty();
                    assertThat(held.isHeld()).isTrue();
                }
            }
        }
    }

    /** That the first claim of that client is granted, as the scripts write it. */
    private static byte[] grant(String client) {
        ByteBuffer out = ByteBuffer.allocate(60).put(client.getBytes(StandardCharsets.US_ASCII));
        out.putLong(1).putLong(1).put((byte) 1).putLong(1).putLong(2);
        return out.put("belay:stock".getBytes(StandardCharsets.US_ASCII)).array();
    }

    private static void publish(RedisServer server, String channel, byte[] message) {
        RedisClient other = RedisClient.create(server.url().replace("//", "//other:PASSWORD@"));
        try {
            byte[] to = channel.getBytes(StandardCharsets.US_ASCII);
            assertThat(other.connect(ByteArrayCodec.INSTANCE).sync().publish(to, message))
                    .isOne();
        } finally {
            other.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    /** As users do it: take, hand over, look, give back. */
    private static void locks(String url) throws Exception {
        try (Belay one = Belay.connect(url);
                Belay other = Belay.connect(url)) {
            DistributedLock lock = one.lock("stock");
            Lease held = lock.acquire();
            CompletableFuture<Lease> next = other.lock("stock").acquireAsync();
            // The answer to the other's enter has to be there before anything can be handed over.
            org.awaitility.Awaitility.await()
                    .until(() -> one.admin().inspect("stock").claims().size() == 2);
            held.close();
            Lease handed = next.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(handed.token()).isGreaterThan(held.token());
            handed.close();
        }
    }

    /** Every kind of request, on short queues and on one so long that its record is changed in place. */
    private static void requests(String url) {
        Store store = Redis.at(url + "?timeout=1m").open(1, new RecordingListener());
        try {
            for (int i = 1; i <= 30; i++) {
                ClaimId id = ClaimId.of(1, i);
                String name = "name" + i % 3;
                long sequence = run(store, enter(name, id)).sequence();
                run(store, enter(name, ClaimId.of(1, 100 + i)));
                run(store, Request.Renew.of(name, id, sequence, 1_000_000, 0, true));
                run(store, Request.Reweight.of(name, id, sequence, 0, 1));
                run(store, Request.Fix.of(name, id, sequence, i % 3, 1_000_000));
                run(store, Request.Yield.of(name, id, sequence, 1_000_000, 0));
                run(store, Request.Skip.of(name, id, sequence));
                run(store, Request.Describe.of(name, id, sequence, Owner.of("client", "host", 1, "t".repeat(i))));
                run(store, Request.Leave.of(name, id, i % 2 == 0));
                run(store, i % 4 == 0 ? Request.Resize.of(name, 3) : Request.Evict.of(name));
            }
            for (int i = 1; i <= 20; i++) {
                run(store, enter("crowd", ClaimId.of(1, 1000 + i)));
            }
            store.renew(List.of(Request.Renew.of("crowd", ClaimId.of(1, 1001), 1, 1_000_000, 0, false)))
                    .get(0)
                    .toCompletableFuture()
                    .orTimeout(Pace.seconds(), TimeUnit.SECONDS)
                    .join();
            store.inspect("crowd")
                    .toCompletableFuture()
                    .orTimeout(Pace.seconds(), TimeUnit.SECONDS)
                    .join();
        } finally {
            store.close();
        }
    }

    private static Request.Enter enter(String name, ClaimId id) {
        Owner owner = Owner.of("client", "host", 1, "thread");
        return Request.Enter.of(name, id, ClaimSpec.of(3, 2, 30_000_000), 0, owner);
    }

    private static Answer run(Store store, Request request) {
        return store.send(request)
                .toCompletableFuture()
                .orTimeout(Pace.seconds(), TimeUnit.SECONDS)
                .join();
    }
}
