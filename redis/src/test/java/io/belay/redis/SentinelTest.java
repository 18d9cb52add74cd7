package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.server.ClientVersion;
import io.belay.servers.Certificates;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisSentinels;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Real fail-overs: by sentinels, from a master that is killed or stopped to a replica that has all, or not all. The
 * methods run side by side, as most of them wait, but not the class: others look whether threads are left.
 */
class SentinelTest {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final long LONGEST = Pace.seconds();

    @BeforeAll
    static void warmUp() throws Exception {
        Told.warmUp();
    }

    private static String url(RedisSentinels trio) {
        return "redis-sentinel://" + trio.addresses() + "?master=" + RedisSentinels.NAME;
    }

    private static Belay connect(RedisSentinels trio, Duration requestTimeout) {
        return Belay.connect(
                url(trio),
                BelayOptions.defaults()
                        .withRequestTimeout(requestTimeout)
                        .withLockDefaults(LockOptions.defaults().withLease(LEASE)));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theMasterIsKilledUnderLoad() throws Exception {
        try (RedisSentinels trio = RedisSentinels.start(Version.V7_0, 1, RedisSentinels.PATIENT);
                Belay one = connect(trio, Pace.patience());
                Belay two = connect(trio, Pace.patience())) {
            RedisServer old = trio.master();
            // Longer than a fail-over takes, however busy this machine is.
            LockOptions usual = LockOptions.defaults().withLease(Duration.ofMinutes(5));
            Lease kept = one.lock("kept", usual).acquire();
            CompletableFuture<Lease> waiting = two.lock("kept", usual).acquireAsync();
            await().until(() -> one.admin().inspect("kept").claims().size() == 2);
            trio.servers().get(1).awaitSync(old);
            try (Rivals rivals = new Rivals(List.of(one, two), "x")) {
                rivals.awaitMore(100);
                old.kill();
                trio.replace(old);
                rivals.awaitMore(100);
                rivals.end();
                rivals.assertGuarded();
                assertThat(rivals.overlaps()).isZero();
                assertThat(rivals.stale()).as("tokens that fell").isZero();
            }

            assertThat(kept.isHeld()).as("the replica had it").isTrue();
            assertThat(kept.release()).isEqualTo(ReleaseOutcome.RELEASED);
            try (Lease next = waiting.get(LONGEST, TimeUnit.SECONDS)) {
                assertThat(next.token()).isGreaterThan(kept.token());
            }
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aMasterThatStandsStillIsLeftAndNotTrustedAgain() throws Exception {
        try (RedisSentinels trio = RedisSentinels.start(Version.V6_2, 1, RedisSentinels.PATIENT);
                // So long that it is not the silence which shows that the master is gone.
                Belay belay = Belay.connect(url(trio) + "&timeout=" + 2 * LONGEST + "s");
                Lease held = belay.lock("x", LockOptions.defaults().withLease(Duration.ofMinutes(5)))
                        .acquire()) {
            RedisServer old = trio.master();
            trio.servers().get(1).awaitSync(old);
            // The one that the client listens to; it has to find another.
            trio.sentinels().get(0).kill();
            old.stop();
            RedisServer now = trio.replace(old);
            await().until(() -> now.command("CLIENT", "LIST", "TYPE", "pubsub")
                    .contains(" name=" + ClientVersion.label() + " ")); // sentinels have other names
            old.resume(); // it takes itself for the master until it is told otherwise
            belay.lock("y").acquire();
            assertThat(now.command("EXISTS", "belay:y")).isEqualTo("1");
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aHolderIsToldThatTheNewMasterKnowsNothingOfItsLock() throws Exception {
        Premise.withLease(LEASE, lease -> aMasterIsReplacedByOneThatMissedALock());
    }

    private static void aMasterIsReplacedByOneThatMissedALock() throws Exception {
        try (RedisSentinels trio = RedisSentinels.start(Version.V7_0, 1, RedisSentinels.PATIENT);
                Belay belay = connect(trio, Duration.ofSeconds(2));
                Belay other = connect(trio, Duration.ofSeconds(2))) {
            RedisServer old = trio.master();
            belay.lock("first").acquire().close(); // which takes longer than the next one
            long detached = System.nanoTime();
            trio.servers().get(1).detach();
            Lease forgotten = belay.lock("x").acquire();
            CompletableFuture<String> told = new CompletableFuture<>();
            forgotten.onLost(loss -> told.complete(loss.getMessage()));
            old.kill();
            // One that has been without its master for longer than five seconds by then does not take over.
            Premise.check(
                    System.nanoTime() - detached < TimeUnit.SECONDS.toNanos(3), "the master is killed soon after");
            trio.replace(old);
            try (Lease next =
                    other.lock("x").tryAcquire(Duration.ofSeconds(LONGEST)).orElseThrow()) {
                assertThat(next.token()).isGreaterThan(forgotten.token());
                assertThat(told.get(LONGEST, TimeUnit.SECONDS)).contains("'x'");
                assertThat(forgotten.isHeld()).isFalse();
                assertThat(forgotten.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
            }
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    @Tag("long")
    void overTls() throws Exception {
        try (Certificates certificates = Certificates.create()) {
            RedisServer master = RedisServer.builder(Version.V7_0)
                    .tls(certificates)
                    .options("--tls-replication", "yes")
                    .start();
            RedisServer replica = RedisServer.builder(Version.V7_0)
                    .tls(certificates)
                    .options("--tls-replication", "yes")
                    .replicaOf(master.port())
                    .start();
            try (RedisSentinels trio = RedisSentinels.watch(List.of(master, replica), certificates);
                    Belay belay = Belay.connect(url(trio).replace("redis-", "rediss-") + "&ca=" + certificates.caFile()
                            + "&replicas=1&replica-timeout=1s")) {
                try (Lease held = belay.lock("x").acquire()) {
                    assertThat(held.replicas()).hasValue(1);
                }
                RedisServer listenedTo = trio.sentinels().get(0);
                await().until(() ->
                        listenedTo.command("CLIENT", "LIST", "TYPE", "pubsub").contains(" name= "));
            }
        }
    }
}
