package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.recipes.MultiLock;
import io.belay.recipes.StripedLock;
import io.belay.servers.ChildJvm;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.Stalls;
import io.belay.servers.ZooKeeperServer;
import io.belay.support.Moment;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What sessions do to locks, and what is left of them on the server. */
@Tag("consensus")
@Tag("long")
class SessionTest {
    private static final Duration SOON = Pace.patience();
    private static final Duration SESSION = Duration.ofSeconds(2);

    /** For tests in which none ends. */
    private static final Duration LASTING = Duration.ofSeconds(40);

    /** For tests in which nothing is proven anew for the time alone. */
    private static final Duration AGES = Duration.ofMinutes(10);

    private ZooKeeperServer server;

    @BeforeEach
    void start() throws Exception {
        server = ZooKeeperServer.start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static Belay connect(String url, Duration session) {
        return Belay.connect(
                url,
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(session)));
    }

    private String url(Duration session) {
        return server.url() + "?session-timeout=" + session.toSeconds() + "s";
    }

    private Belay connect(Duration session) {
        return connect(url(session), session);
    }

    private static Duration soonAfter(Duration session) {
        return session.plus(SOON);
    }

    /** A process that holds a lock and says what becomes of it. */
    static final class Holder {
        public static void main(String[] arguments) throws Exception {
            try (Belay belay = connect(arguments[0], Duration.parse(arguments[1]))) {
                Lease lease = belay.lock("x").acquire();
                CompletableFuture<Boolean> lost = new CompletableFuture<>();
                lease.onLost(loss -> lost.complete(lease.isHeld()));
                System.out.println(lease.token());
                System.in.read();
                System.out.println(lost.get() + " " + lease.isHeld() + " " + lease.release());
            }
        }
    }

    /** A process that holds a lock, and answers whether it does, and what its wall clock shows. */
    static final class Suspended {
        public static void main(String[] arguments) throws Exception {
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
            try (Belay belay = Belay.connect(arguments[0])) {
                Lease lease = belay.lock("x").acquire();
                for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                    System.out.println(lease.isHeld() + " " + System.currentTimeMillis());
                }
            }
        }
    }

    private ZooKeeper client(Duration session) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(server.address(), (int) session.toMillis(), event -> connected.countDown());
        assertThat(connected.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return client;
    }

    @Test
    void aSuspensionIsNoTimeForWhichASessionIsKnownToLive() throws Exception {
        try (ZooKeeper client = client(AGES)) {
            Moment now = Moment.now();
            Session session = new Session(client, new Moment(now.nanos(), now.wallOffset() - 5_000));
            assertThat(session.isStale(false)).isTrue();
            assertThat(session.until().byNow() - now.nanos())
                    .isBetween(
                            AGES.multipliedBy(2).dividedBy(3).minusMillis(5_100).toNanos(),
                            AGES.multipliedBy(2).dividedBy(3).minusMillis(4_900).toNanos());
            session.multi("/", List.of(Op.check("/", -1))).get(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(session.isStale(true)).isFalse();
            assertThat(session.until().byNow() - now.nanos())
                    .isGreaterThan(AGES.multipliedBy(2).dividedBy(3).toNanos());
        }
    }

    /** Else a grant that came as late as possible would leave its holder less than a third of the session, at its second renewal. */
    @Test
    void forWhatIsHeldASessionIsProvenSooner() throws Exception {
        try (ZooKeeper client = client(AGES)) {
            Moment now = Moment.now();
            Moment before = new Moment(now.nanos() - AGES.toNanos() / 8, now.wallOffset());
            Session session = new Session(client, before);
            assertThat(session.isStale(false)).isFalse();
            assertThat(session.isStale(true)).isTrue();
        }
    }

    /** What a member answers that is cut off from the others, of which it has not heard for as long, is no proof. */
    @Test
    void aSuspendedHolderIsSureAgainByAWrite() throws Exception {
        assumeThat(RedisServer.canSetClock())
                .as("Debian's package faketime is installed")
                .isTrue();
        try (ChildJvm holder = ChildJvm.startWithClock(Suspended.class, url(AGES));
                ZooKeeper client = client(AGES)) {
            assertThat(holder.ask("?")).startsWith("true ");
            client.create("/count", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            long before = write(client);
            assertThat(write(client)).isEqualTo(before + 1);
            holder.setClock(Duration.ofSeconds(5));
            long wanted = System.currentTimeMillis() + 5_000;
            await().until(() -> Long.parseLong(holder.ask("?").split(" ")[1]) >= wanted);
            await().until(() -> holder.ask("?").startsWith("true "));
            assertThat(write(client)).isGreaterThanOrEqualTo(before + 3);
        }
    }

    /** Writes to ZooKeeper. Returns the number of that transaction among all, of which a read is none. */
    private static long write(ZooKeeper client) throws Exception {
        return client.setData("/count", new byte[0], -1).getMzxid();
    }

    @Test
    void aStoppedHolderFindsItselfPassedOver() throws Exception {
        Premise.withLease(SESSION, session -> {
            try (ChildJvm holder = ChildJvm.start(Holder.class, url(session), session.toString());
                    Belay belay = connect(session);
                    Stalls stalls = Stalls.watch()) {
                long token = Long.parseLong(holder.line());
                holder.signal("STOP");
                Lease next =
                        belay.lock("x").acquireAsync().get(soonAfter(session).toSeconds(), TimeUnit.SECONDS);
                assertThat(next.token()).isGreaterThan(token);
                holder.signal("CONT");
                assertThat(holder.finish()).isEqualTo("false false " + ReleaseOutcome.ALREADY_LOST);
                stalls.inTime(next.release() == ReleaseOutcome.RELEASED, "the next keeps it");
            }
        });
    }

    @Test
    void aServerThatStopsIsToldByTheHoldersOwnDeadlineAndTokensRiseAfterwards() throws Exception {
        Premise.withLease(SESSION, session -> {
            try (Belay belay = connect(session);
                    Belay other = connect(session);
                    Stalls stalls = Stalls.watch()) {
                Lease held = belay.lock("x").acquire();
                CompletableFuture<Lease> waiting = other.lock("x").acquireAsync();
                await().until(() -> belay.admin().inspect("x").claims().size() == 2 || !held.isHeld());
                Premise.check(held.isHeld(), "a session lasts until another client has queued up");
                server.kill();
                await().atMost(soonAfter(session)).until(() -> !held.isHeld());
                server.restart();
                Lease next = waiting.get(soonAfter(session).toSeconds(), TimeUnit.SECONDS);
                assertThat(next.token()).isGreaterThan(held.token());
                assertThat(held.isHeld()).isFalse();
                stalls.inTime(next.release() == ReleaseOutcome.RELEASED, "the next keeps it");
            }
        });
    }

    @Test
    void aHoldOutlastsARestartWithinItsLease() throws Exception {
        String url = url(LASTING); // a busy machine takes its time to start a server
        BelayOptions options = BelayOptions.defaults()
                .withRequestTimeout(Duration.ofSeconds(2))
                .withLockDefaults(LockOptions.defaults().withLease(LASTING));
        try (Belay belay = Belay.connect(url, options);
                Belay other = Belay.connect(url, options)) {
            Lease held = belay.lock("x").acquire();
            CompletableFuture<Lease> waiting = other.lock("x").acquireAsync();
            await().until(() -> belay.admin().inspect("x").claims().size() == 2);
            server.kill();
            server.restart();
            await().ignoreExceptions()
                    .until(() -> belay.admin().inspect("x").claims().size() == 2);
            assertThat(held.isHeld()).isTrue();
            assertThat(waiting).isNotDone();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS).release())
                    .isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /** The servers count a session anew when they are back; the client whose it was has given it up by then. */
    @Test
    void afterAnOutageThatIsLongerThanTheSessionNothingStaysTakenForAnother() throws Exception {
        Premise.withLease(Duration.ofSeconds(12), this::outlast);
    }

    private void outlast(Duration session) throws Exception {
        BelayOptions options =
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(Duration.ofSeconds(5)));
        try (Belay belay = Belay.connect(url(session), options)) {
            Lease held = belay.lock("held").acquire();
            Lease released = belay.lock("released").acquire();
            server.kill();
            long killed = System.nanoTime();
            assertThat(released.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
            await().atMost(soonAfter(session))
                    .until(() ->
                            System.nanoTime() - killed > session.plusSeconds(3).toNanos());
            assertThat(held.isHeld()).isFalse();
            server.restart();
            try (Stalls stalls = Stalls.watch()) {
                for (String name : List.of("held", "released")) {
                    belay.lock(name).acquireAsync().get(SOON.toSeconds(), TimeUnit.SECONDS);
                }
                // A server that is just starting may keep a client waiting for a third of the session.
                Duration atMost = session.multipliedBy(3).dividedBy(4);
                stalls.inTime(stalls.taken().compareTo(atMost) < 0, "granted before a session is over");
            }
        }
    }

    @Test
    void aReleaseDuringAnOutageOfMoreThanALeaseIsMadeUpForAfterIt() throws Exception {
        String url = server.url() + "?session-timeout=20s";
        Duration lease = Duration.ofSeconds(1);
        BelayOptions options = BelayOptions.defaults()
                .withRequestTimeout(Duration.ofMillis(300))
                .withLockDefaults(LockOptions.defaults().withLease(lease));
        try (Belay belay = Belay.connect(url, options);
                Belay other = Belay.connect(url, options)) {
            Lease held = belay.lock("x").acquire();
            server.kill();
            long killed = System.nanoTime();
            assertThat(held.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
            await().until(() ->
                    System.nanoTime() - killed > lease.multipliedBy(3).toNanos());
            server.restart();
            // The session goes on, and so would the node.
            assertThat(other.lock("x")
                            .acquireAsync()
                            .get(SOON.toSeconds(), TimeUnit.SECONDS)
                            .release())
                    .isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void allPermitsAreHadInTurn() throws Exception {
        try (Belay a = connect(LASTING);
                Belay b = connect(LASTING)) {
            List<CompletableFuture<ReleaseOutcome>> all = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                DistributedSemaphore semaphore = (i % 2 == 0 ? a : b).semaphore("s", 2);
                all.add(semaphore.permits(2).acquireAsync().thenCompose(Lease::releaseAsync));
            }
            for (CompletableFuture<ReleaseOutcome> one : all) {
                assertThat(one.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }

    @Test
    void noWatchAndNoNodeIsLeftBehind() throws Exception {
        try (Belay a = connect(LASTING);
                Belay b = connect(LASTING)) {
            for (int i = 0; i < 30; i++) {
                DistributedLock onA = a.lock("x");
                Lease held = onA.acquire();
                CompletableFuture<Lease> cancelled = b.lock("x").acquireAsync();
                CompletableFuture<ReleaseOutcome> reader =
                        b.readWriteLock("y").readLock().acquireAsync().thenCompose(Lease::releaseAsync);
                CompletableFuture<ReleaseOutcome> writer =
                        a.readWriteLock("y").writeLock().acquireAsync().thenCompose(Lease::releaseAsync);
                if (i % 10 == 0) {
                    // Long enough to be watched over.
                    await().until(() -> server.figure("zk_watch_count") > 1);
                }
                cancelled.cancel(true);
                held.release();
                reader.get(SOON.toSeconds(), TimeUnit.SECONDS);
                writer.get(SOON.toSeconds(), TimeUnit.SECONDS);
            }
            await().until(() -> server.figure("zk_watch_count") == 0);
            await().until(() -> server.figure("zk_ephemerals_count") == 0);
        }
    }

    /** The client that has taken a lock by force goes on. */
    @Test
    void theNoteOfWhoHasTakenALockByForceIsNotLeftBehind() throws Exception {
        Duration lease = Duration.ofSeconds(3); // for as long the note is to stand
        try (Belay a = connect(LASTING);
                Belay b = connect(LASTING)) {
            a.lock("x", LockOptions.defaults().withLease(lease)).acquire();
            b.admin().forceRelease("x");
            await().atMost(soonAfter(lease)).until(() -> server.figure("zk_ephemerals_count") == 0);
        }
    }

    @Test
    void aLeaseThatTheSessionCannotKeepIsRefused() {
        try (Belay belay = Belay.connect(url(SESSION))) {
            assertThatThrownBy(() -> belay.lock("x").acquire())
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("30000 ms")
                    .hasMessageContaining("session-timeout");
            assertThatThrownBy(() -> belay.lock(
                            "x", LockOptions.defaults().withLease(SESSION).withFixedLease(Duration.ofSeconds(1))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fixed lease");
        }
    }

    @Test
    void whatTakesNoOptionsHasTheLeaseOfTheClientsDefaults() throws Exception {
        List<Waiting> all = List.of(
                belay -> belay.countDownLatch("l").await(SOON),
                belay -> MultiLock.of(belay, List.of("x", "y")).acquire().close(),
                belay -> StripedLock.of(belay, "s", 2).acquireAny().close());
        String url = server.url() + "?session-timeout=10s";
        try (Belay usual = Belay.connect(url);
                Belay shorter = connect(url, Duration.ofSeconds(10))) {
            assertThat(usual.countDownLatch("l").trySetCount(1)).isTrue();
            assertThat(usual.countDownLatch("l").countDown()).isZero();
            for (Waiting one : all) {
                assertThatThrownBy(() -> one.in(usual)).isInstanceOf(StoreMisconfiguredException.class);
                one.in(shorter);
            }
        }
    }

    private interface Waiting {
        void in(Belay belay) throws Exception;
    }

    /** And so its locks are kept for longer after its death. */
    @Test
    void aServerMayGrantMoreThanWasAskedFor() throws Exception {
        try (ZooKeeperServer slow = ZooKeeperServer.start(List.of("minSessionTimeout=4000"));
                Belay belay = connect(slow.url() + "?session-timeout=500ms", Duration.ofSeconds(4))) {
            assertThat(belay.lock("x").acquire().release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void aServerThatGrantsLessThanWasAskedForIsNamed() throws Exception {
        try (ZooKeeperServer strict = ZooKeeperServer.start(List.of("maxSessionTimeout=4000"));
                Belay belay = Belay.connect(strict.url())) {
            assertThatThrownBy(() -> belay.lock("x").acquire())
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("4000 ms")
                    .hasMessageContaining("maxSessionTimeout");
        }
    }
}
