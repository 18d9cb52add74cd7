package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Premise;
import io.belay.servers.Proof;
import io.belay.servers.RedisSentinels;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.RedisServerBuilder;
import io.belay.servers.Stalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

    /** A user for each client, by which their connections can be told apart. */
    private static final String ONE = "one";

    private static final String TWO = "two";
    private static final Set<String> USERS = Set.of(ONE, TWO);

    private static final int HELD = 6;
    /** For how long they are held before the command: what is granted just before it may be missing on the replica. */
    private static final Duration BEFORE = Duration.ofSeconds(1);

    private static final Duration LOOK = Duration.ofMillis(10);

    private static RedisServerBuilder server() {
        RedisServerBuilder builder =
                RedisServer.builder(Version.V7_0).password(PASSWORD).options("--masterauth", PASSWORD);
        USERS.forEach(user -> builder.user(user, "on", ">" + PASSWORD, "~*", "&*", "+@all"));
        return builder;
    }

    private static Belay connect(RedisSentinels trio, String user, Duration lease) {
        return Belay.connect(
                "redis-sentinel://" + user + ":" + PASSWORD + "@" + trio.addresses() + "?master=" + RedisSentinels.NAME,
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
                        // No server that a busy machine keeps waiting is to be taken for dead: that would be another
                        // fail-over.
                        RedisSentinels.PATIENT);
                Greetings greeted = new Greetings(master);
                Belay one = connect(trio, ONE, lease);
                Belay two = connect(trio, TWO, lease);
                Rivals rivals = new Rivals(List.of(one, two), "x");
                Stalls holding = Stalls.watch()) {
            List<Lease> held = hold(one, two);
            long since = System.nanoTime();
            assertThat(greeted.heard()).as("connections that the monitor shows").hasSizeGreaterThanOrEqualTo(2);
            rivals.awaitMore(100);
            next.awaitSync(master);
            RedisServer leading = trio.sentinels().get(leader);
            await().until(() ->
                    leading.command("SENTINEL", "REPLICAS", RedisSentinels.NAME).contains("slave-priority\n0\n"));
            late.command("CONFIG", "SET", "masterauth", "wrong");
            TimeUnit.NANOSECONDS.sleep(BEFORE.toNanos() - (System.nanoTime() - since));

            // It refuses while it has not heard of the replica for a moment.
            await().ignoreExceptions()
                    .until(() -> !leading.command("SENTINEL", "FAILOVER", RedisSentinels.NAME)
                            .isEmpty());
            Duration took;
            try (Stalls stalls = awaitNamed(trio, next)) {
                Move move = new Move(master, next);
                await().pollInterval(LOOK).until(() -> move.isOver(USERS));
                took = stalls.taken();
                stalls.inTime(took.compareTo(SOON) < 0, "clients that move within " + SOON);
                assertThat(move.returned()).as("who came back meanwhile").isEmpty();
            }
            greeted.clear();

            long end = System.nanoTime() + HELD_UP.toNanos();
            while (System.nanoTime() - end < 0) {
                assertThat(Move.connections(master)).as("at the former master").isEmpty();
                assertThat(greeted.heard()).as("new connections to it").isEmpty();
                assertAlone(held, one, two, holding);
                TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            }
            assertThat(leading.command("SENTINEL", "MASTER", RedisSentinels.NAME))
                    .as("the fail-over is not done yet")
                    .contains("failover-state\nreconf_slaves");
            late.command("CONFIG", "SET", "masterauth", PASSWORD);
            rivals.awaitMore(100);
            rivals.end();
            rivals.assertGuarded();
            System.out.println("belay: led by sentinel " + leader + ": clients moved within " + took.toMillis()
                    + " ms; overlaps of grants made meanwhile: " + rivals.overlaps());
        }
    }

    /** Takes locks, each client some. */
    private static List<Lease> hold(Belay one, Belay two) throws InterruptedException {
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < HELD; i++) {
            held.add((i % 2 == 0 ? one : two).lock("held " + i).acquire());
        }
        return held;
    }

    /** Each is still held, and the other client cannot have it. A slow move may take what is left of a lease. */
    private static void assertAlone(List<Lease> held, Belay one, Belay two, Stalls stalls) throws Exception {
        for (int i = 0; i < held.size(); i++) {
            Lease lease = held.get(i);
            DistributedLock others = (i % 2 == 0 ? two : one).lock(lease.name());
            boolean had = Premise.answered(() -> others.tryAcquire()).isPresent();
            boolean kept = lease.isHeld();
            assertThat(had && kept).as("two have " + lease.name()).isFalse();
            stalls.inTime(kept, lease.name() + " is still held");
        }
    }

    /** Waits until one of the sentinels names that server as the master, and begins to watch the time. */
    private static Stalls awaitNamed(RedisSentinels trio, RedisServer master) {
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> trio.sentinels().stream()
                        .map(PlannedFailoverTest::named)
                        .flatMap(Optional::stream)
                        .anyMatch(port -> port.equals(Integer.toString(master.port()))));
        return Stalls.watch();
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
}
