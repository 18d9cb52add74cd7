package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.servers.Monitor;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a lock costs the server, by what the server itself says. */
class CostTest {
    private static final String COMPARE_AND_DELETE =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
    private static final int PAIRS = 1_000;
    private static final int ROUNDS = 5;

    private static Belay connect(RedisServer redis, String name) {
        return Belay.connect(redis.url(), BelayOptions.defaults().withClientName(name));
    }

    @ParameterizedTest
    @EnumSource
    void aFreeLockCostsTwoCommands(RedisServer.Version version) throws Exception {
        try (RedisServer redis = RedisServer.start(version);
                Belay belay = connect(redis, "solo")) {
            DistributedLock lock = belay.lock("solo");
            lock.acquire().close();
            Premise.withLease(Duration.ofSeconds(30), lease -> {
                try (Monitor monitor = redis.monitor()) {
                    long begun = System.nanoTime();
                    lock.acquire().close();
                    lock.acquire().close();
                    before(1, begun);
                    assertThat(sent(monitor)).hasSize(4);
                }
            });
            assertThat(redis.command("EXISTS", "belay:solo")).isEqualTo("1");
            printServerTime(redis, lock, version);
        }
    }

    /** Without an assertion: the figures of a busy machine say little. */
    private static void printServerTime(RedisServer redis, DistributedLock lock, RedisServer.Version version)
            throws Exception {
        RedisClient client = RedisClient.create(redis.url());
        RedisCommands<String, String> raw = client.connect().sync();
        String digest = raw.scriptLoad(COMPARE_AND_DELETE);
        double[] ours = new double[ROUNDS];
        double[] bare = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            redis.command("CONFIG", "RESETSTAT");
            for (int j = 0; j < PAIRS; j++) {
                raw.set("raw", "me", SetArgs.Builder.nx().px(30_000));
                raw.evalsha(digest, ScriptOutputType.INTEGER, new String[] {"raw"}, "me");
            }
            bare[i] = (micros(redis, "set") + micros(redis, "evalsha")) / PAIRS;
            redis.command("CONFIG", "RESETSTAT");
            for (int j = 0; j < PAIRS; j++) {
                lock.acquire().close();
            }
            ours[i] = micros(redis, "evalsha") / PAIRS;
        }
        client.shutdown(0, 1, TimeUnit.SECONDS);
        double[] ratios = new double[ROUNDS];
        Arrays.setAll(ratios, i -> ours[i] / bare[i]);
        System.out.printf(
                Locale.ROOT,
                "%s: server time of a lock and unlock %.2f us, of SET NX PX and compare-and-delete %.2f us: %.2f times%n",
                version,
                median(ours),
                median(bare),
                median(ratios));
    }

    private static double micros(RedisServer redis, String command) throws Exception {
        return redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll(".*usec=(\\d+),.*", "$1")))
                .sum();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    @Test
    void aWaiterCostsAnEnterAndAPushAndAReleaseWakesOne() throws Exception {
        int[] waiters = {6}; // the fewer, the less has to come about before the next one asks
        Premise.withLease(Duration.ofSeconds(30), lease -> aWaiterCosts(Math.max(2, --waiters[0])));
    }

    private void aWaiterCosts(int waiters) throws Exception {
        try (RedisServer redis = RedisServer.start(RedisServer.Version.V7_0);
                Monitor monitor = redis.monitor()) {
            List<Belay> clients = new ArrayList<>();
            try {
                for (int i = 0; i <= waiters; i++) {
                    clients.add(connect(redis, "client-" + i));
                }
                aWaiterCosts(clients, monitor);
            } finally {
                clients.forEach(Belay::close);
            }
        }
    }

    private static void aWaiterCosts(List<Belay> clients, Monitor monitor) throws Exception {
        int waiters = clients.size() - 1;
        Lease held = clients.get(0).lock("hot").acquire();
        monitor.clear();
        long entered = System.nanoTime();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (Belay client : clients.subList(1, waiters + 1)) {
            waiting.add(client.lock("hot").acquireAsync());
            await().pollInterval(Duration.ofMillis(5)).until(() -> sent(monitor).size() >= waiting.size());
        }
        List<String> enters = sent(monitor);
        before(1, entered);
        assertThat(enters).hasSize(waiters);
        monitor.clear();

        // They ask every two seconds how they stand, look once who has the lock as the wait is slow, and that is
        // all.
        await().pollInterval(Duration.ofMillis(5)).until(() -> sent(monitor).size() >= 2 * waiters);
        List<String> asks = sent(monitor);
        before(4, entered);
        assertThat(asks).hasSize(2 * waiters);
        monitor.clear();

        held.close();
        Lease next = waiting.remove(0).get(Pace.seconds(), TimeUnit.SECONDS);
        List<String> lines = monitor.lines();
        before(4, entered);
        assertThat(lines).filteredOn(line -> line.contains("\"PUBLISH\"")).hasSize(1);
        assertThat(lines).filteredOn(CostTest::isSent).hasSize(1);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        monitor.clear();
        next.close();
        for (CompletableFuture<Lease> waiter : waiting) {
            waiter.get(Pace.seconds(), TimeUnit.SECONDS).close();
        }
        lines = sent(monitor);
        before(4, entered);
        assertThat(lines).hasSize(waiters); // a leave each
    }

    /** The first of those who wait looks who has the lock a second after it has entered, and asks after two, and four. */
    private static void before(int seconds, long entered) {
        Premise.check(
                System.nanoTime() - entered < TimeUnit.SECONDS.toNanos(seconds), "all this before anybody asks again");
    }

    private static List<String> sent(Monitor monitor) throws Exception {
        return monitor.lines().stream().filter(CostTest::isSent).toList();
    }

    /** What a script calls stands in lines of its own; a script that the server lacks yet is sent again as a text. */
    private static boolean isSent(String line) {
        return line.contains("\"EVALSHA\"");
    }
}
