package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreUnavailableException;
import io.belay.servers.Monitor;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.Stalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Grants and renewals that wait for a replica, which is there or is not. */
class ReplicasTest {
    private static final Duration LEASE = Duration.ofSeconds(1);

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
            try (Belay belay = connect("?replicas=1&replica-timeout=" + time.toMillis() + "ms", time);
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
            try (Lease again = belay.lock("x").acquire()) {
                assertThat(again.replicas()).hasValue(1);
                assertThat(again.token()).isGreaterThan(lease.token());
            }
        }
    }

    @Test
    void aLockThatNoReplicaHasConfirmedIsGivenBackWhereThatIsAsked() throws Exception {
        try (Belay belay = connect("?replicas=1&replica-timeout=50ms&replica-missing=refuse");
                Belay watcher = connect("")) {
            replica.stop();
            assertThatThrownBy(() -> belay.lock("x").tryAcquire(Duration.ofSeconds(1)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("0 of 1 within 50 ms, so the lock was given back");
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

    @Test
    void aHandedOverGrantIsConfirmedWhenItIsPickedUp() throws Exception {
        try (Belay one = connect("");
                Belay other = connect("?replicas=1&replica-timeout=1s")) {
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
        try (Belay belay = connect("?replicas=1&replica-timeout=1s");
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

    /** As an old master does when sentinels have replaced it. */
    @Test
    void aServerThatBecomesAReplicaIsGivenUp() throws Exception {
        try (RedisServer demoted = RedisServer.start(Version.V7_0);
                Belay belay = Belay.connect(demoted.url())) {
            belay.lock("x").acquire().close();
            String connection =
                    demoted.command("CLIENT", "LIST", "TYPE", "pubsub").split(" ", 2)[0] + " ";
            demoted.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
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
        try (Belay belay = Belay.connect(plain.replace("plain", "waits") + "?replicas=1&replica-timeout=1s");
                Lease lease = belay.lock("x").acquire()) {
            assertThat(lease.replicas()).hasValue(1);
        }
    }
}
