package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.Stalls;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody else keeps under the key of a lock, or has damaged there: nothing is granted from it. */
@ParameterizedClass
@EnumSource
class ForeignKeyTest {
    private static final Duration WAIT = Pace.patience();
    /** No renewal meets what is damaged meanwhile. */
    private static final LockOptions LONG = LockOptions.defaults().withLease(Duration.ofMinutes(10));

    private static final AtomicInteger NAMES = new AtomicInteger();

    private static RedisServer server;
    private static Belay belay;

    private final String name = "foreign-" + NAMES.incrementAndGet();
    private final String key = "belay:" + name;

    ForeignKeyTest(Version version) {}

    @BeforeParameterizedClassInvocation
    static void start(Version version) throws Exception {
        server = RedisServer.start(version);
        belay = Belay.connect(
                server.url(),
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(Duration.ofSeconds(10))));
    }

    @AfterParameterizedClassInvocation
    static void end() {
        belay.close();
        server.close();
    }

    private void assertRefused() throws Exception {
        String before = server.command("DUMP", key);
        long begun = System.nanoTime();
        String holds = "Redis at 127.0.0.1:" + server.port() + " holds ";
        String cure = " under the key '" + key + "': remove that, or give locks another prefix";
        for (String message : new String[] {
            Told.unusable(() -> Premise.answered(() -> belay.lock(name).tryAcquire())),
            Told.unusable(() -> belay.lock(name).tryAcquire(WAIT)),
            Told.unusable(() -> belay.lock(name).acquire()),
            Told.unusable(() -> Premise.answered(
                    () -> belay.lock(name, LockOptions.defaults().withFixedLease(WAIT))
                            .tryAcquire())),
        }) {
            assertThat(message)
                    .startsWith("The lock '" + name + "' cannot be had: " + holds)
                    .endsWith(cure);
        }
        assertThat(Told.unusable(() -> belay.admin().inspect(name)))
                .contains(holds)
                .endsWith(cure);
        assertThat(Told.unusable(() -> belay.admin().forceRelease(name)))
                .contains(holds)
                .endsWith(cure);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(WAIT);
        assertThat(server.command("DUMP", key)).isEqualTo(before);
    }

    @Test
    void otherTypes() throws Exception {
        for (String[] command : new String[][] {
            {"HSET", key, "f", "v"},
            {"RPUSH", key, "v"},
            {"SADD", key, "v"},
            {"ZADD", key, "1", "v"},
            {"XADD", key, "*", "f", "v"}
        }) {
            server.command("DEL", key);
            server.command(command);
            assertRefused();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "b",
                "Some-other-lock-0123456789",
                "bravo bravo bravo0",
                "bravo bravo bravo0 and more",
                "bravo bravo bravo1",
                "bravo bravo bravo1 and then what looks like a claim for as far as it goes, which is not very far",
                "bravo bravo bravo2 and then what looks like a crowd for as far as it goes, which is not very far",
                "bravo bravo bravo3",
                "b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0x"
            })
    void otherStrings(String value) throws Exception {
        server.command("SET", key, value);
        assertRefused();
        // As one that Belay wrote, it ends some day.
        server.command("SET", key, value, "EX", "3000");
        assertRefused();
        server.command("SET", key, value.repeat(20));
        assertRefused();
    }

    /** Lua scripts read and write bytes, which the test's own connection does not. */
    private void edit(String lua, int at) throws Exception {
        server.command(
                "EVAL",
                "local v = redis.call('GET', KEYS[1]) local i = tonumber(ARGV[1]) " + lua
                        + " return redis.call('SET', KEYS[1], v, 'KEEPTTL')",
                "1",
                key,
                Integer.toString(at));
    }

    private int length() throws Exception {
        return Integer.parseInt(server.command("STRLEN", key));
    }

    private static final String CUT = "v = string.sub(v, 1, i)";

    /** With a short lease a record is of the kind that has one claim, with a long one of the kind that has a queue. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void recordsThatAreCutOff(int minutes) throws Exception {
        LockOptions options = LockOptions.defaults().withLease(Duration.ofMinutes(minutes));
        try (Belay other = Belay.connect(server.url());
                Lease held = other.lock(name, options).acquire()) {
            int length = length();
            server.command("COPY", key, "whole");
            for (int cut = 1; cut < length; cut++) {
                server.command("COPY", "whole", key, "REPLACE");
                edit(CUT, cut);
                assertThat(Told.unusable(
                                () -> Premise.answered(() -> belay.lock(name).tryAcquire())))
                        .as("cut off at %s", cut)
                        .contains("'" + key + "'");
                assertThat(length()).isEqualTo(cut);
            }
            server.command("COPY", "whole", key, "REPLACE");
            assertThat(held.isHeld()).isTrue();
        }
    }

    /** A byte cannot always be told from the right one; but that which was not taken is not given away or waited for. */
    @Test
    void recordsWithAWrongByte() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (Belay other = Belay.connect(server.url());
                Lease held = other.lock(name, LONG).acquire()) {
            // A second claim, so that the record is of the kind that has a queue.
            assertThat(Premise.answered(() -> belay.lock(name).tryAcquire(Duration.ofMillis(20))))
                    .isEmpty();
            await().until(() -> other.admin().inspect(name).claims().size() == 1);
            int length = length();
            server.command("COPY", key, "whole", "REPLACE");
            int refused = 0;
            for (int at = 1; at <= length; at++) {
                server.command("COPY", "whole", key, "REPLACE");
                edit(
                        "v = string.sub(v, 1, i - 1) .. string.char((string.byte(v, i) + " + (1 + random.nextInt(255))
                                + ") % 256) .. string.sub(v, i + 1)",
                        at);
                try {
                    Premise.answered(() -> belay.lock(name).tryAcquire()).ifPresent(Lease::close);
                } catch (StoreMisconfiguredException e) {
                    assertThat(e.getMessage()).as("byte %s, seed %s", at, seed).contains("'" + key + "'");
                    refused++;
                } catch (LockRefusedException e) {
                    assertThat(e.getMessage()).as("byte %s, seed %s", at, seed).contains("'" + name + "'");
                }
            }
            assertThat(refused).isGreaterThan(5);
            server.command("COPY", "whole", key, "REPLACE");
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(server.command("PING")).isEqualTo("PONG");
    }

    /** Who holds a lock while its key is overwritten is told at its deadline, and others are not disturbed. */
    @Test
    void renewalsOfOthersGoOn() throws Exception {
        Premise.withLease(Duration.ofMillis(600), lease -> {
            LockOptions brief = LockOptions.defaults().withLease(lease);
            server.command("DEL", key);
            try (Stalls stalls = Stalls.watch();
                    Lease damaged = belay.lock(name, brief).acquire();
                    Lease sound = belay.lock(name + "-sound", brief).acquire()) {
                server.command("SET", key, "rubbish");
                AtomicInteger lost = new AtomicInteger();
                damaged.onLost(why -> lost.incrementAndGet());
                await().until(() -> lost.get() == 1);
                stalls.inTime(sound.isHeld(), "the other lease is renewed");
            }
        });
    }
}
