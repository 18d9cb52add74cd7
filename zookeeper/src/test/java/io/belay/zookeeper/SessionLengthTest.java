package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.ZooKeeperServer;
import io.belay.support.Moment;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that give a session another length than it had, as its client connects again. */
@Tag("consensus")
@Tag("long")
class SessionLengthTest {
    private static final Duration SOON = Pace.patience();
    private static final Duration MUCH = Duration.ofSeconds(40);
    private static final Duration LITTLE = Duration.ofSeconds(10);

    private ZooKeeperServer server;

    @BeforeEach
    void start() throws Exception {
        server = ZooKeeperServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void restart(Duration longest) throws Exception {
        server.kill();
        server.configure(List.of("maxSessionTimeout=" + longest.toMillis()));
        server.restart();
    }

    private static Belay connect(String url, Duration session) {
        return Belay.connect(
                url + "?session-timeout=" + session.toMillis() + "ms",
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(session)));
    }

    /** A process that holds a lock, and answers whether it does. */
    static final class Holder {
        public static void main(String[] arguments) throws Exception {
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
            try (Belay belay = connect(arguments[0], Duration.parse(arguments[1]))) {
                Lease lease = belay.lock("x").acquire();
                while (questions.readLine() != null) {
                    System.out.println(lease.isHeld());
                }
            }
        }
    }

    @Test
    void aHolderCountsOnWhatItsSessionWasGivenLast() throws Exception {
        Premise.withLease(Duration.ofSeconds(9), lease -> {
            restart(lease);
            Duration less = lease.dividedBy(9);
            try (ChildJvm holder = ChildJvm.start(Holder.class, server.url(), lease.toString())) {
                assertThat(holder.ask("?")).isEqualTo("true");
                restart(less);
                long restarted = System.nanoTime();
                await().atMost(lease.plus(SOON)).until(() -> System.nanoTime() - restarted > lease.toNanos());
                Premise.check(holder.ask("?").equals("true"), "it is connected again in time, and keeps its session");
                try (Belay other = connect(server.url(), less)) {
                    holder.signal("STOP");
                    other.lock("x").acquireAsync().get(less.plus(SOON).toSeconds(), TimeUnit.SECONDS);
                    holder.signal("CONT");
                    assertThat(holder.ask("?")).isEqualTo("false");
                }
            }
        });
    }

    @Test
    void whatIsSureFollowsFromTheLeastThatWasGivenSince() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper client = new EagerClient(watcher -> watcher, Duration.ofSeconds(6))
                .newZooKeeper(server.address(), (int) MUCH.toMillis(), event -> connected.countDown(), false)) {
            assertThat(connected.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Session session = new Session(client, Moment.now());
            long before = session.until().byNow();
            restart(LITTLE);
            awaitLength(client, LITTLE);
            assertThat(before - session.until().byNow()).isEqualTo(twoThirds(MUCH.minus(LITTLE)));
            assertThat(session.timeoutNanos()).isEqualTo(LITTLE.toNanos());
            assertThat(proven(session)).isLessThanOrEqualTo(twoThirds(LITTLE));
            long until = session.until().byNow();
            restart(MUCH);
            awaitLength(client, MUCH);
            assertThat(session.until().byNow()).as("what was proven before").isEqualTo(until);
            assertThat(session.timeoutNanos()).isEqualTo(MUCH.toNanos());
            assertThat(proven(session)).isGreaterThan(twoThirds(LITTLE));
        }
    }

    private static void awaitLength(ZooKeeper client, Duration session) {
        await().atMost(MUCH.plus(SOON)).until(() -> client.getSessionTimeout() == session.toMillis());
    }

    private static long twoThirds(Duration session) {
        return session.toNanos() / 3 * 2;
    }

    /** Lets a write prove that a session lives. Returns for how long it is sure to do so from then on, in nanoseconds. */
    private static long proven(Session session) throws Exception {
        session.multi("/", List.of(Op.check("/", -1))).get(SOON.toSeconds(), TimeUnit.SECONDS);
        return session.until().byNow() - System.nanoTime();
    }
}
