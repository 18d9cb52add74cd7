package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Premise;
import io.belay.servers.Proof;
import io.belay.servers.RedisSentinels;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.RedisServerBuilder;
import io.belay.servers.Stalls;
import io.belay.spi.ClientVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Fail-overs that an operator asks for while all servers run, and the former master answers on. One replica cannot
 * follow the new master for a while, so that the sentinel that leads the fail-over is not done with it meanwhile.
 */
class PlannedFailoverTest {
    private static final Duration LEASE = Duration.ofSeconds(3);
    /** How long the replica is held up. In this time the leader tells the former address beside the new epoch. */
    private static final Duration HELD_UP = Duration.ofSeconds(Proof.times(2, 12));

    /** From the first sentinel that names the new master until every client is there: what the others need to hear of it. */
    private static final Duration SOON = Duration.ofSeconds(3);

    private static final String PASSWORD = "geheim";

    private static RedisServerBuilder server() {
        return RedisServer.builder(Version.V7_0).password(PASSWORD).options("--masterauth", PASSWORD);
    }

    private static Belay connect(RedisSentinels trio, Duration lease) {
        return Belay.connect(
                "redis-sentinel://:" + PASSWORD + "@" + trio.addresses() + "?master=" + RedisSentinels.NAME,
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(lease)));
    }

    /** Led by each of the sentinels. */
    @Test
    void clientsLeaveTheFormerMasterAtOnceAndForGood() throws Exception {
        List<Integer> leaders = Proof.isShort() ? List.of(1) : List.of(0, 1, 2);
        int times = Integer.getInteger("belay.failovers", 1);
        for (int round = 0; round < times; round++) {
            for (int leader : leaders) {
                Premise.withLease(LEASE, lease -> failOver(leader, lease));
            }
        }
    }

    private static void failOver(int leader, Duration lease) throws Exception {
        RedisServer master = server().start();
        RedisServer next = server().replicaOf(master.port()).start();
        RedisServer late = server().replicaOf(master.port()).start();
        late.command("CONFIG", "SET", "replica-priority", "0"); // sentinels never choose it
        try (RedisSentinels trio = RedisSentinels.watch(
                        List.of(master, next, late),
                        "sentinel auth-pass " + RedisSentinels.NAME + " " + PASSWORD,
                        "sentinel failover-timeout " + RedisSentinels.NAME + " 60000");
                Belay one = connect(trio, lease);
                Belay two = connect(trio, lease);
                Lease held = one.lock("held").acquire();
                Rivals rivals = new Rivals(List.of(one, two), "x")) {
            rivals.awaitMore(100);
            next.awaitSync(master);
            RedisServer leading = trio.sentinels().get(leader);
            await().until(() ->
                    leading.command("SENTINEL", "REPLICAS", RedisSentinels.NAME).contains("slave-priority\n0\n"));
            late.command("CONFIG", "SET", "masterauth", "wrong");

            leading.command("SENTINEL", "FAILOVER", RedisSentinels.NAME);
            awaitNamed(trio, next);
            Stalls stalls = Stalls.watch();
            await().until(() -> clients(master).isEmpty() && clients(next).size() >= 2);
            Duration took = stalls.taken();
            stalls.inTime(took.compareTo(SOON) < 0, "clients that move within " + SOON);
            stalls.close();

            List<String> back = new ArrayList<>();
            long end = System.nanoTime() + HELD_UP.toNanos();
            while (System.nanoTime() - end < 0) {
                back.addAll(clients(master));
                assertThat(two.lock("held").tryAcquire()).isEmpty();
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(leading.command("SENTINEL", "MASTER", RedisSentinels.NAME))
                    .as("the fail-over is not done yet")
                    .contains("failover-state\nreconf_slaves");
            assertThat(back).as("connections to the former master").isEmpty();
            assertThat(held.isHeld()).isTrue();
            late.command("CONFIG", "SET", "masterauth", PASSWORD);
            rivals.awaitMore(100);
            rivals.end();
            rivals.assertGuarded();
            System.out.println("belay: led by sentinel " + leader + ": clients moved within " + took.toMillis()
                    + " ms; overlaps of grants made meanwhile: " + rivals.overlaps());
        }
    }

    /** Waits until one of the sentinels names that server as the master. */
    private static void awaitNamed(RedisSentinels trio, RedisServer master) {
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> trio.sentinels().stream()
                        .map(PlannedFailoverTest::named)
                        .flatMap(Optional::stream)
                        .anyMatch(port -> port.equals(Integer.toString(master.port()))));
    }

    private static Optional<String> named(RedisServer sentinel) {
        try {
            return sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", RedisSentinels.NAME)
                    .lines()
                    .skip(1)
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the connections of Belay's clients to a server. */
    private static List<String> clients(RedisServer server) throws IOException {
        String label = " name=" + ClientVersion.label() + " ";
        return Stream.of(server.command("CLIENT", "LIST").split("\n"))
                .filter(line -> line.contains(label))
                .toList();
    }
}
