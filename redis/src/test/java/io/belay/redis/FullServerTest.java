package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.Stalls;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server whose maxmemory is reached takes no new locks; from 7.0 on, what is held can be kept and given back. */
class FullServerTest {
    private static final Duration LEASE = Duration.ofMillis(900);

    @ParameterizedTest
    @EnumSource
    void takesNoNewLocks(Version version) throws Exception {
        Premise.withLease(LEASE, lease -> takesNoNewLocks(version, lease));
    }

    private static void takesNoNewLocks(Version version, Duration lease) throws Exception {
        try (RedisServer server = RedisServer.start(version);
                Belay belay = Belay.connect(
                        server.url(), BelayOptions.defaults().withRequestTimeout(Duration.ofMillis(500)));
                Stalls stalls = Stalls.watch()) {
            String cure = "Redis at 127.0.0.1:" + server.port() + " has no memory left: raise its maxmemory, or free"
                    + " some";
            Lease held =
                    belay.lock("held", LockOptions.defaults().withLease(lease)).acquire();
            server.command("CONFIG", "SET", "maxmemory", "1");
            assertThat(Told.unavailable(
                            () -> Premise.answered(() -> belay.lock("other").tryAcquire())))
                    .contains("'other'")
                    .endsWith(cure);
            assertThat(Told.unavailable(
                            () -> Premise.answered(() -> belay.lock("other").tryAcquire(Duration.ofMillis(100)))))
                    .contains("'other'")
                    .endsWith(cure);
            int claims = await().pollDelay(Duration.ZERO)
                    .until(() -> belay.admin().inspect("held").claims().size(), got -> true);
            stalls.inTime(held.isHeld(), "the lock is held until it is looked at");
            assertThat(claims).isOne();
            if (version == Version.V6_2) {
                assertThat(Told.unavailable(server.url())).isEqualTo(cure);
                held.close();
            } else {
                keeps(server, held, lease, stalls);
            }
            server.command("CONFIG", "SET", "maxmemory", "0");
            belay.lock("other").acquire().close();
        }
    }

    private static void keeps(RedisServer server, Lease held, Duration lease, Stalls stalls) throws Exception {
        Duration end = stalls.taken().plus(lease.multipliedBy(2));
        // Also when the connection breaks meanwhile.
        server.command("CLIENT", "KILL", "TYPE", "pubsub");
        while (stalls.taken().compareTo(end) < 0) {
            stalls.inTime(held.isHeld(), "the lock is renewed");
            Thread.sleep(20);
        }
        stalls.inTime(held.release() == ReleaseOutcome.RELEASED, "the lock is renewed until its release");
    }
}
