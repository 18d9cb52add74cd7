package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.Stalls;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

    /** A lock that is listed for its name is inspected, whatever it is. */
    @ParameterizedTest
    @ValueSource(strings = {"Some other string", "another string yet", "bravo, and whatever else there is"})
    void aLongValueIsNotFetched(String beginning) throws Exception {
        server.command("SET", key, beginning);
        server.command("SETRANGE", key, "50000000", "end");
        long before = sent();
        assertThat(Told.unusable(() -> belay.admin().inspect(name))).contains("the key '" + key + "'");
        assertThat(sent() - before).isLessThan(10_000_000);
        server.command("DEL", key);
    }

    private static long sent() throws Exception {
        return server.command("INFO", "stats")
                .lines()
                .filter(line -> line.startsWith("total_net_output_bytes:"))
                .mapToLong(line -> Long.parseLong(line.split(":")[1].strip()))
                .sum();
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
        return length(key);
    }

    private static int length(String key) throws Exception {
        return Integer.parseInt(server.command("STRLEN", key));
    }

    /** Returns of which kind the record is. */
    private String kind() throws Exception {
        return server.command("GETRANGE", key, "17", "17");
    }

    /** With a lease of half a minute at most, a record that is new is of the kind that has one claim. */
    @Test
    void recordsOfOneClaimThatAreCutOff() throws Exception {
        enter(1, ClaimSpec.whole(30_000_000), 36);
        assertThat(kind()).isEqualTo("1");
        assertEachCutIsTold(1, length(), this::tryLock);
    }

    /** With a longer lease it is of the kind that has a queue. */
    @Test
    void recordsThatAreCutOff() throws Exception {
        try (Belay other = Belay.connect(server.url());
                Lease held = other.lock(name, LONG).acquire()) {
            assertThat(kind()).isEqualTo("2");
            assertEachCutIsTold(1, length(), this::tryLock);
            assertThat(held.isHeld()).isTrue();
        }
    }

    private void tryLock() throws Exception {
        Premise.answered(() -> belay.lock(name).tryAcquire()).ifPresent(Lease::close);
    }

    private void waitForLock() throws Exception {
        belay.lock(name).tryAcquire(WAIT).ifPresent(Lease::close);
    }

    private void assertEachCutIsTold(int from, int to, ThrowingCallable... asks) throws Exception {
        String left = server.command("PTTL", key);
        server.command("COPY", key, "whole", "REPLACE");
        server.command("PERSIST", "whole");
        for (int cut = from; cut < to; cut++) {
            for (ThrowingCallable ask : asks) {
                putBack(cut, left);
                assertThat(Told.unusable(ask)).as("cut off at %s", cut).contains("'" + key + "'");
                assertThat(length()).isEqualTo(cut);
            }
        }
        putBack(length("whole"), left);
    }

    /**
     * Puts so many bytes of the record back, and so many milliseconds of its time to live, by which it tells the time:
     * on its clock no lease ends, however long all this takes.
     */
    private void putBack(int bytes, String left) throws Exception {
        server.command(
                "EVAL",
                "return redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[2], '0', ARGV[1]), 'PX', ARGV[2])",
                "2",
                key,
                "whole",
                Integer.toString(bytes - 1),
                left);
    }

    /** Makes claims of clients that ask for nothing more; their owners' texts are of so many bytes. */
    private void enter(int claims, ClaimSpec spec, int bytes) {
        Owner owner = Owner.of("\u4e16".repeat(bytes / 12), "\u754c".repeat(bytes / 12), 1, "\u4eba".repeat(bytes / 12))
                .withThread("\u4eba".repeat(bytes / 12), "\u6c11".repeat(bytes / 12));
        try (Store store = Redis.at(server.url() + "?timeout=1m").open(1, new RecordingListener())) {
            for (int i = 1; i <= claims; i++) {
                store.send(Request.Enter.of(name, ClaimId.of(1, i), spec, 0, owner))
                        .toCompletableFuture()
                        .join();
            }
        }
    }

    private static final ClaimSpec WHOLE = ClaimSpec.whole(600_000_000);

    /** Who waits would be granted the lock from what is left, or wait for ever. */
    @Test
    void recordsThatAreCutOffBehindTheHolder() throws Exception {
        enter(2, WHOLE, 36);
        assertThat(length()).isLessThan(512); // of these all that wait are looked at
        assertEachCutIsTold(1, length(), this::tryLock, this::waitForLock);
    }

    @Test
    void recordsOfManyThatLackMoreThanTheirNames() throws Exception {
        enter(12, WHOLE, 0);
        int claim = (length() - 55) / 12;
        int least = length() - 11 * (claim - 72); // without the owners of those that wait
        assertEachCutIsTold(512, 520, this::tryLock, this::waitForLock);
        assertEachCutIsTold(least - 8, least, this::tryLock, this::waitForLock);
    }

    @Test
    void recordsThatAreCutOffInALongName() throws Exception {
        enter(1, WHOLE, 12 * 64);
        assertThat(length()).isGreaterThan(800);
        assertEachCutIsTold(508, 516, this::tryLock, this::waitForLock);
        assertEachCutIsTold(length() - 8, length(), this::tryLock, this::waitForLock);
    }

    @Test
    void recordsOfPermitsThatAreCutOff() throws Exception {
        enter(3, ClaimSpec.of(4, 1, 600_000_000), 96);
        assertThat(length()).isGreaterThan(520);
        DistributedSemaphore permits = belay.semaphore(name, 4);
        assertEachCutIsTold(
                500,
                length(),
                () -> Premise.answered(() -> permits.tryAcquire()).ifPresent(Lease::close));
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

    /** Another prefix may be a lock's key, and what is tried out by it as a client connects is tried on no lock. */
    @Test
    void whoConnectsByAPrefixThatIsTheKeyOfALockLeavesItAsItIs() throws Exception {
        try (Lease held = belay.lock(name, LONG).acquire()) {
            String before = server.command("DUMP", key);
            Belay.connect(server.url() + "?prefix=" + key).close();
            assertThat(server.command("DUMP", key)).isEqualTo(before);
            assertThat(held.isHeld()).isTrue();
        }
    }

    /** Who holds a lock while its key is overwritten or cut off is told at its deadline, and others are not disturbed. */
    @ParameterizedTest
    @ValueSource(strings = {"v = 'rubbish'", "v = string.sub(v, 1, #v - 1)"})
    void renewalsOfOthersGoOn(String damage) throws Exception {
        Premise.withLease(Duration.ofMillis(600), lease -> {
            LockOptions brief = LockOptions.defaults().withLease(lease);
            server.command("DEL", key);
            try (Stalls stalls = Stalls.watch();
                    Lease damaged = belay.lock(name, brief).acquire();
                    Lease sound = belay.lock(name + "-sound", brief).acquire()) {
                await().until(() -> kind().equals("2") || !damaged.isHeld());
                Premise.check(damaged.isHeld(), "the lock is held until it was renewed once");
                edit(damage, 0);
                AtomicInteger lost = new AtomicInteger();
                damaged.onLost(why -> lost.incrementAndGet());
                await().until(() -> lost.get() == 1);
                stalls.inTime(sound.isHeld(), "the other lease is renewed");
            }
        });
    }
}
