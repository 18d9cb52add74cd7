package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.CommandProxy;
import io.belay.servers.CommandProxy.Command;
import io.belay.servers.Interleaving;
import io.belay.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are let in, and those that are not: by their names, and by a race where a name proves nothing. */
class AdmissionTest {
    private static final String GARNET =
            "# Server\r\ngarnet_version:1.0.84\r\nos:Unix 6.1\r\nredis_version:7.4.3\r\nredis_mode:standalone\r\nrole:master\r\n";
    private static final String NAMELESS =
            "# Server\r\nredis_version:7.4.3\r\nredis_mode:standalone\r\nrole:master\r\n";

    /** The races of servers that run scripts one at a time; with more than ten each takes its whole time. */
    private static final int RACES = Integer.getInteger("belay.races", 10);

    private static RedisServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RedisServer.start(RedisServer.Version.V7_0);
        Told.warmUp();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void garnetIsRefusedByName() throws Exception {
        try (CommandProxy garnet = CommandProxy.to(server, new Interleaving(server, GARNET))) {
            assertThat(Told.unusable(garnet.url()))
                    .isEqualTo("Redis at 127.0.0.1:" + garnet.port()
                            + " is Garnet, which runs scripts of several clients at the same time unless its"
                            + " lua-transaction-mode is on, and does not say that it is: two clients could get one lock;"
                            + " use Redis or Valkey for locks");
        }
    }

    /** It may say that it does, and is raced all the same. */
    @Test
    @Tag("long")
    void garnetThatSaysThatItsScriptsAreTransactionsIsRaced() throws Exception {
        Command yes = Command.of("EVAL", "return ARGV", "0", "lua-transaction-mode", "yes");
        CommandProxy.Manner atOnce = new Interleaving(server, GARNET);
        try (CommandProxy liar =
                        CommandProxy.to(server, command -> command.is("CONFIG") ? yes : atOnce.instead(command));
                CommandProxy honest = CommandProxy.to(
                        server,
                        command -> command.is("CONFIG") ? yes : command.is("INFO") ? Command.text(GARNET) : command)) {
            assertThat(Told.unusable(liar.url())).contains("does not run scripts one at a time");
            try (Belay belay = Belay.connect(honest.url());
                    Lease lease = belay.lock("transactions").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }

    @Test
    @Tag("long")
    void aServerThatHidesItsNameIsFoundByTheRaceInTenOfTen() throws Exception {
        Pattern said =
                Pattern.compile(".* does not run scripts one at a time: of (\\d+) that raced, one was lost, and so"
                        + " could a lock be; use Redis or Valkey for locks");
        try (CommandProxy hidden = CommandProxy.to(server, new Interleaving(server, NAMELESS))) {
            for (int i = 0; i < 10; i++) {
                Matcher message = said.matcher(Told.unusable(hidden.url()));
                assertThat(message.matches()).isTrue();
                assertThat(Integer.parseInt(message.group(1))).isGreaterThan(1);
            }
        }
    }

    /** Without its name any server is raced, and one that runs them one at a time is let in. */
    @Test
    @Tag("long")
    void aServerWithoutANameIsLetInIfNothingIsLost() throws Exception {
        try (CommandProxy hidden =
                CommandProxy.to(server, command -> command.is("INFO") ? Command.text(NAMELESS) : command)) {
            long begun = System.nanoTime();
            try (Belay belay = Belay.connect(hidden.url());
                    Lease lease = belay.lock("nameless").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(AtomicityRace.LENGTH);
        }
    }

    private static Duration connecting(String url) {
        long begun = System.nanoTime();
        Belay.connect(url).close();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** As in a fail-over: clients wait until the next one has proved itself. */
    @Test
    @Tag("long")
    void whatTakesOverAtAnAddressIsRacedForLessTimeIfItIsOfTheSameMake() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        AtomicReference<String> info = new AtomicReference<>(NAMELESS);
        CommandProxy.Manner hiding = command ->
                command.is("INFO") ? Command.text(info.get() + "run_id:" + "a".repeat(30 + runs.get())) : command;
        try (CommandProxy hidden = CommandProxy.to(server, hiding)) {
            assertThat(connecting(hidden.url())).isGreaterThan(AtomicityRace.LENGTH);
            await().until(() -> {
                runs.incrementAndGet();
                return connecting(hidden.url()).compareTo(AtomicityRace.LENGTH) < 0;
            });
            runs.incrementAndGet();
            info.set(NAMELESS.replace("7.4.3", "7.4.4"));
            assertThat(connecting(hidden.url())).isGreaterThan(AtomicityRace.LENGTH);
        }
    }

    /** As by a FLUSHALL, or by an eviction. Nobody is let in, and nothing is said of the server's scripts. */
    @Test
    void aKeyThatGoesAwayEndsTheRace() throws Exception {
        AtomicInteger scripts = new AtomicInteger();
        CommandProxy.Manner forgetful = command -> {
            // The first one and one of each lane come however slow the machine is.
            if (command.isScript() && command.word(2).equals("1") && scripts.incrementAndGet() % 9 == 0) {
                server.command("DEL", command.word(3));
            }
            return command.is("INFO") ? Command.text(NAMELESS) : command;
        };
        try (CommandProxy hidden = CommandProxy.to(server, forgetful)) {
            assertThat(Told.unavailable(hidden.url())).contains("lost the key on which its scripts were raced");
        }
    }

    @ParameterizedTest
    @EnumSource(RedisServer.Version.class)
    void redisAndValkeyLoseNothing(RedisServer.Version version) throws Exception {
        Duration length = RACES > 10 ? AtomicityRace.LENGTH : Duration.ofMillis(100);
        RedisClient client = RedisClient.create();
        try (RedisServer real = RedisServer.start(version);
                StatefulRedisConnection<byte[], byte[]> one = client.connect(
                        ByteArrayCodec.INSTANCE, Settings.parse(real.url()).uri(null));
                StatefulRedisConnection<byte[], byte[]> other = client.connect(
                        ByteArrayCodec.INSTANCE, Settings.parse(real.url()).uri(null))) {
            for (int i = 0; i < RACES; i++) {
                byte[] key = ("race-" + i).getBytes(StandardCharsets.UTF_8);
                await().pollDelay(Duration.ZERO).until(() -> {
                    AtomicityRace.Outcome outcome = AtomicityRace.run(one.async(), other.async(), key, length)
                            .join();
                    assertThat(outcome.lost()).isFalse();
                    return outcome.scripts() > 8; // for which a tenth of a second may be too little
                });
            }
            assertThat(Product.of(new ServerInfo(one.sync().info())).isProven())
                    .as("needs no race")
                    .isTrue();
        } finally {
            client.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis_version:6.2.6\r\nexecutable:/usr/bin/keydb-server\r\nrole:active-replica\r\n",
                "redis_version:7.4.0\r\nrole:master\r\nmodule:name=search,ver=1\r\nmodule:name=crdt,ver=1,api=1\r\n",
                "redis_version:7.4.0\r\nrole:master\r\ncrdt_replid:abc\r\n"
            })
    void activeActiveIsRefused(String info) throws Exception {
        try (CommandProxy active =
                CommandProxy.to(server, command -> command.is("INFO") ? Command.text(info) : command)) {
            assertThat(Told.unusable(active.url()))
                    .isEqualTo("Redis at 127.0.0.1:" + active.port()
                            + " is active-active: several servers grant the same lock, and settle that later; use a"
                            + " database with one master for locks");
        }
    }

    @Test
    void aBorrowedVersionProvesNothing() throws Exception {
        String own = server.command("INFO");
        assertThat(Product.of(new ServerInfo(own)).isProven()).isTrue();
        assertThat(Product.of(new ServerInfo(own + "\ndragonfly_version:df-1.24")))
                .isEqualTo(Product.DRAGONFLY);
        assertThat(Product.of(new ServerInfo(own + "\ntair_edition:enterprise")))
                .isEqualTo(Product.OTHER);
        assertThat(Product.of(new ServerInfo(own + "\nredis_build_id:0"))).isEqualTo(Product.OTHER);
        assertThat(Product.of(new ServerInfo(own + "\nserver_name:somebody"))).isEqualTo(Product.OTHER);
        assertThat(Product.of(new ServerInfo(own + "\nexecutable:/opt/keydb-server")))
                .isEqualTo(Product.KEYDB);
        assertThat(Product.of(new ServerInfo("redis_version:7.4.0\nrole:master")))
                .isEqualTo(Product.OTHER);
    }
}
