package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.servers.CommandProxy;
import io.belay.servers.Monitor;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.Stalls;
import io.belay.spi.Answer;
import io.belay.spi.Answer.State;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Grants and renewals that wait for a replica, which is there or is not. */
class ReplicasTest {
    private static final Duration LEASE = Duration.ofSeconds(1);

    /** A lease that no busy machine ends. */
    private static final Duration LONG = Duration.ofMinutes(1);

    private static RedisServer master;
    private static RedisServer replica;

    @BeforeAll
    static void start() throws Exception {
        master = RedisServer.start(Version.V7_0);
        replica = RedisServer.builder(Version.V7_0).replicaOf(master.port()).start();
        replica.awaitSync(master);
        Told.warmUp();
    }

    @AfterAll
    static void end() {
        replica.close();
        master.close();
    }

    @AfterEach
    void goOn() throws Exception {
        replica.resume();
        replica.awaitSync(master);
    }

    private static Belay connect(String parameters) {
        return connect(parameters, LEASE);
    }

    private static Belay connect(String parameters, Duration lease) {
        return Belay.connect(
                master.url() + parameters,
                BelayOptions.defaults().withLockDefaults(LockOptions.defaults().withLease(lease)));
    }

    @Test
    void nobodyWaitsUnlessAsked() throws Exception {
        replica.stop();
        try (Belay belay = connect("");
                Monitor monitor = master.monitor();
                Lease lease = belay.lock("x").acquire()) {
            assertThat(lease.replicas()).isEmpty();
            assertThat(monitor.lines()).noneMatch(line -> line.contains("WAIT"));
        }
    }

    @Test
    void aReplicaThatIsThereConfirmsGrantsAndRenewals() throws Exception {
        Premise.withLease(LEASE, time -> {
            try (Belay belay = connect("?replicas=1&timeout=2m&replica-timeout=" + time.toMillis() + "ms", time);
                    Lease lease = belay.lock("x").acquire();
                    Stalls stalls = Stalls.watch()) {
                assertThat(lease.replicas()).hasValue(1);
                assertThat(replica.command("EXISTS", "belay:x")).isEqualTo("1");
                Thread.sleep(time.plusMillis(200).toMillis()); // no lock lasts for longer that is not renewed
                stalls.inTime(lease.isHeld(), "the lock is renewed");
                assertThat(lease.replicas()).hasValue(1);
            }
        });
    }

    @Test
    void withoutItsReplicaALockIsHadForOneLease() throws Exception {
        try (Belay belay = connect("?replicas=1&replica-timeout=50ms")) {
            replica.stop();
            long begin = System.nanoTime();
            Lease lease = belay.lock("x").acquire();
            long acquired = System.nanoTime();
            assertThat(lease.replicas()).hasValue(0);
            CompletableFuture<String> told = new CompletableFuture<>();
            lease.onLost(loss -> told.complete(loss.getMessage()));
            assertThat(told.get(Pace.seconds(), TimeUnit.SECONDS))
                    .contains("could not be renewed in time; 0 of the 1 replicas asked for had confirmed it");
            assertThat(System.nanoTime() - begin)
                    .as("no sooner than the lease ends, the margin taken off")
                    .isGreaterThan(LEASE.toNanos() * 9 / 10);
            assertThat(acquired - begin)
                    .as("the time that replicas have, at least")
                    .isGreaterThan(50_000_000);
            assertThat(lease.isHeld()).isFalse();

            replica.resume();
            replica.awaitSync(master);
            await().until(
                            () -> { // 50 ms are little on a busy machine
                                try (Lease again = belay.lock("x").acquire()) {
                                    assertThat(again.token()).isGreaterThan(lease.token());
                                    return again.replicas().equals(OptionalInt.of(1));
                                }
                            });
        }
    }

    @Test
    void aLockThatNoReplicaHasConfirmedIsGivenBackWhereThatIsAsked() throws Exception {
        try (Belay belay = connect("?replicas=1&replica-timeout=50ms&replica-missing=refuse", LONG);
                Belay watcher = connect("", LONG)) {
            replica.stop();
            // A second may be over before the first attempt is.
            await().untilAsserted(() -> assertThatThrownBy(() -> belay.lock("x").tryAcquire(Duration.ofSeconds(1)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("0 of 1 within 50 ms, so the lock was given back"));
            await().until(() -> watcher.admin().inspect("x").claims().isEmpty());
            Lease held = watcher.lock("x").acquire();
            CompletableFuture<Lease> next = belay.lock("x").acquireAsync();
            await().until(() -> watcher.admin().inspect("x").claims().size() == 2);
            replica.resume();
            replica.awaitSync(master);
            held.close();
            try (Lease handed = next.get(Pace.seconds(), TimeUnit.SECONDS)) {
                await().untilAsserted(() -> assertThat(handed.replicas()).hasValue(1));
                assertThat(handed.isHeld()).isTrue();
            }
        }
    }

    private static final String REFUSES = "?replicas=1&timeout=1m&replica-timeout=1s&replica-missing=refuse";

    private static final ClaimId FIRST = ClaimId.of(1, 1);
    private static final ClaimId SECOND = ClaimId.of(1, 2);

    private static CompletableFuture<Answer> send(Store store, Request request) {
        return store.send(request).toCompletableFuture().orTimeout(Pace.seconds(), TimeUnit.SECONDS);
    }

    private static Answer enter(Store store, String name, ClaimId id) {
        Owner owner = Owner.of("client", "host", 1, "thread");
        return send(store, Request.Enter.of(name, id, ClaimSpec.whole(30_000_000), 0, owner))
                .join();
    }

    /** Enters and is granted, which takes that the replica confirms it within the second. */
    private static Answer granted(Store store, String name, ClaimId id) {
        Answer granted;
        try {
            granted = enter(store, name, id);
        } catch (CompletionException e) {
            Premise.check(!String.valueOf(e.getMessage()).contains("0 of 1 within"), "the replica confirms in time");
            throw e;
        }
        assertThat(granted.state()).isEqualTo(State.GRANTED);
        return granted;
    }

    private static CompletableFuture<Answer> yieldAt(Store store, String name, ClaimId id, long sequence) {
        return send(store, Request.Yield.of(name, id, sequence, 30_000_000, 0));
    }

    private static boolean isGone(Store store, String name, ClaimId id) {
        return store.inspect(name).toCompletableFuture().join().resource().orElse(Resource.UNUSED).claims().stream()
                .noneMatch(claim -> claim.id().equals(id));
    }

    /** The claim keeps its id over a yield, but what it has then is another grant. */
    @Test
    void aGrantAfterAYieldIsGivenBackThoughTheOneBeforeWasConfirmed() throws Exception {
        Premise.withLease(LEASE, lease -> yieldsInPlace("in-place-" + lease));
    }

    private static void yieldsInPlace(String name) throws Exception {
        Store store = Redis.at(master.url() + REFUSES).open(1, new RecordingListener());
        try {
            Answer granted = granted(store, name, FIRST);
            replica.stop();
            Answer fresh = send(store, Request.Renew.of(name, FIRST, granted.sequence(), 30_000_000, 0, true))
                    .join();
            assertThat(fresh.state())
                    .as("what is held goes on, under a fresh sequence too")
                    .isEqualTo(State.GRANTED);
            assertThat(fresh.sequence()).isGreaterThan(granted.sequence());
            assertThatThrownBy(yieldAt(store, name, FIRST, fresh.sequence())::join)
                    .hasMessageContaining("0 of 1 within 1000 ms, so the lock was given back");
            assertThat(yieldAt(store, name, FIRST, fresh.sequence()).join().state())
                    .isEqualTo(State.GONE);
        } finally {
            store.close();
        }
    }

    @Test
    void aGrantThatIsPushedAfterAYieldIsGivenBackThoughTheOneBeforeWasConfirmed() throws Exception {
        Premise.withLease(LEASE, lease -> yieldsInTurn("in-turn-" + lease));
    }

    private static void yieldsInTurn(String name) throws Exception {
        RecordingListener listener = new RecordingListener();
        Store store = Redis.at(master.url() + REFUSES).open(1, listener);
        try {
            Answer granted = granted(store, name, FIRST);
            assertThat(enter(store, name, SECOND).state()).isEqualTo(State.WAITING);
            Answer waits = yieldAt(store, name, FIRST, granted.sequence()).join();
            assertThat(waits.state()).isEqualTo(State.WAITING);
            await().until(() -> listener.isGranted(SECOND) || isGone(store, name, SECOND));
            Premise.check(listener.isGranted(SECOND), "the replica confirms the second claim's turn in time");
            replica.stop();
            send(store, Request.Leave.of(name, SECOND, false)).join();
            await().until(() -> send(store, Request.Renew.of(name, FIRST, waits.sequence(), 30_000_000, 0, false))
                    .handle((answer, error) -> error == null && answer.state() == State.GONE)
                    .join());
            assertThat(listener.isGranted(FIRST)).isFalse();
        } finally {
            store.close();
        }
    }

    private static String changes() throws Exception {
        return master.command("INFO", "persistence")
                .lines()
                .filter(line -> line.startsWith("rdb_changes_since_last_save:"))
                .findFirst()
                .orElseThrow();
    }

    /** A WAIT may count what its own connection has written; on a new connection to a node of a cluster that would be nothing. */
    @Test
    void aGrantThatIsToldAgainIsWrittenAgain() throws Exception {
        Store store = Redis.at(master.url()).open(1, new RecordingListener());
        try {
            Owner owner = Owner.of("client", "host", 1, "thread");
            ClaimSpec fixed = ClaimSpec.whole(30_000_000).withFixedLease(600_000_000);
            Request enter = Request.Enter.of("told-again", FIRST, fixed, 0, owner);
            long sequence = send(store, enter).join().sequence();
            for (Request again : List.of(
                    enter,
                    Request.Renew.of("told-again", FIRST, sequence, 30_000_000, 0, false),
                    Request.Renew.of("told-again", FIRST, sequence - 1, 30_000_000, 0, false),
                    Request.Reweight.of("told-again", FIRST, sequence, 7, 1))) {
                String before = changes();
                assertThat(send(store, again).join().state()).isEqualTo(State.GRANTED);
                assertThat(changes()).as("after %s", again).isNotEqualTo(before);
            }
        } finally {
            store.close();
        }
    }

    @Test
    void aHandedOverGrantIsConfirmedWhenItIsPickedUp() throws Exception {
        try (Belay one = connect("", LONG);
                Belay other = connect("?replicas=1&replica-timeout=1s", LONG)) {
            Lease held = one.lock("x").acquire();
            CompletableFuture<Lease> next = other.lock("x").acquireAsync();
            await().until(() -> one.admin().inspect("x").claims().size() == 2);
            held.close();
            try (Lease handed = next.get(Pace.seconds(), TimeUnit.SECONDS)) {
                await().untilAsserted(() -> assertThat(handed.replicas()).hasValue(1));
                assertThat(handed.isHeld()).isTrue();
            }
        }
    }

    /** What many threads write together costs a WAIT or two, and not one each. */
    @Test
    void oneWaitDoesForAllWhoComeMeanwhile() throws Exception {
        int locks = 200;
        try (Belay belay = connect("?replicas=1&timeout=1m&replica-timeout=30s", LONG);
                Monitor monitor = master.monitor()) {
            List<CompletableFuture<Lease>> leases = IntStream.range(0, locks)
                    .mapToObj(i -> belay.lock("many-" + i).acquireAsync())
                    .toList();
            for (CompletableFuture<Lease> lease : leases) {
                assertThat(lease.get(Pace.seconds(), TimeUnit.SECONDS).replicas())
                        .hasValue(1);
            }
            assertThat(monitor.lines().stream().filter(line -> line.contains("\"WAIT\"")))
                    .hasSizeBetween(1, locks / 2);
        }
    }

    /** It stands behind an answer, and nothing else is asked: the time is counted in looks, of which four make the limit. */
    @Test
    void aServerThatNeverSaysHowManyReplicasHaveItIsSilent() throws Exception {
        CommandProxy.Manner deaf =
                command -> command.is("WAIT") && !command.word(1).equals("0")
                        ? CommandProxy.Command.of("WAIT", "9", "0") // for ever
                        : command;
        try (CommandProxy proxy = CommandProxy.to(master, deaf)) {
            Connector connector = Redis.at(proxy.url() + "?replicas=1").connector();
            try {
                Link link = connector
                        .connect("belay:" + Wire.hex(1), nobody(), Pace.patience(), true)
                        .join();
                Answer granted = Answer.of(State.GRANTED, 1).withClaim(1, 1_000);
                CompletableFuture<Answer> told = link.replicas().behind(CompletableFuture.completedFuture(granted));
                assertThat(IntStream.rangeClosed(1, AnswerWatch.LOOKS).anyMatch(look -> link.isSilent()))
                        .isFalse();
                assertThat(IntStream.rangeClosed(1, 2).anyMatch(look -> link.isSilent()))
                        .isTrue();
                assertThat(told).isNotDone();
            } finally {
                connector.close();
            }
        }
    }

    private static Link.Listener nobody() {
        return new Link.Listener() {
            @Override
            public void pushed(Link link, byte[] message) {}

            @Override
            public void broken(Link link) {}
        };
    }

    /** As an old master does when sentinels have replaced it. */
    @Test
    void aServerThatBecomesAReplicaIsGivenUp() throws Exception {
        assertGivenUp(Version.V7_0, "yes", master.port());
    }

    /** Such a one says neither that it is a replica nor anything else until it has heard from its master. */
    @Test
    void soIsOneThatServesNothingBeforeItsFirstSync() throws Exception {
        assertGivenUp(Version.V6_2, "no", 1);
    }

    private static void assertGivenUp(Version version, String serves, int itsMaster) throws Exception {
        try (RedisServer demoted = RedisServer.start(version, "--replica-serve-stale-data", serves);
                Belay belay = Belay.connect(demoted.url())) {
            belay.lock("x").acquire().close();
            String connection =
                    demoted.command("CLIENT", "LIST", "TYPE", "pubsub").split(" ", 2)[0] + " ";
            demoted.command("REPLICAOF", "127.0.0.1", Integer.toString(itsMaster));
            assertThat(Told.unavailable(
                            () -> Premise.answered(() -> belay.lock("x").tryAcquire())))
                    .contains("is a replica");
            await().untilAsserted(
                            () -> assertThat(demoted.command("CLIENT", "LIST")).doesNotContain(connection));
            demoted.promote();
            await().ignoreExceptions().until(() -> belay.lock("x").tryAcquire().isPresent());
        }
    }

    @Test
    void theRightToWaitIsOnlyNeededByWhoWaits() throws Exception {
        master.command(("ACL SETUSER plain on >geheim "
                        + Settings.parse("redis://localhost").rights())
                .split(" "));
        master.command(("ACL SETUSER waits on >geheim "
                        + Settings.parse("redis://localhost?replicas=1").rights())
                .split(" "));
        String plain = master.url().replace("//", "//plain:geheim@");
        Belay.connect(plain).close();
        assertThat(Told.unusable(plain + "?replicas=1"))
                .contains("denies its user a right", "+wait", "ACL SETUSER NAME");
        try (Belay belay =
                        Belay.connect(plain.replace("plain", "waits") + "?replicas=1&timeout=1m&replica-timeout=30s");
                Lease lease = belay.lock("x").acquire()) {
            assertThat(lease.replicas()).hasValue(1);
        }
    }
}
