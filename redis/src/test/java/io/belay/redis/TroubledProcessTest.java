package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.servers.ChildJvm;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real processes on a real Redis, whose log or whose clock fails: what they hold stays, and what they lose is told. */
@Tag("processes")
@Tag("long")
class TroubledProcessTest {
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** An outage makes the timers' thread log, and a lock that is taken by force is logged as lost. */
    @Test
    void aLogThatThrowsErrorsEndsNoRenewalAndKeepsNoLossFromBeingTold() throws Exception {
        try (RedisServer redis = RedisServer.start(Version.V7_0);
                TcpProxy line = TcpProxy.to(redis);
                Belay other = Belay.connect(redis.url());
                ChildJvm child = ChildJvm.start(
                        TroubledProcess.class, "bad-log", line.url(), String.valueOf(LEASE.toMillis()))) {
            assertThat(child.ask("?")).isEqualTo("true 0");
            for (int i = 0; i < 3; i++) {
                line.cut();
                line.pass();
                await().until(() -> other.admin()
                                .inspect("kept")
                                .claims()
                                .get(0)
                                .remaining()
                                .toMillis()
                        > 1_500);
            }
            other.admin().forceRelease("taken");
            await().until(() -> child.ask("?").equals("true 1"));
        }
    }

    @Test
    void forwardStepsOfTheWallClockStrandNobodyWhoWaits() throws Exception {
        assumeThat(RedisServer.canSetClock())
                .as("Debian's package faketime is installed")
                .isTrue();
        try (RedisServer redis = RedisServer.start(Version.V7_0);
                ChildJvm child = ChildJvm.startWithClock(TroubledProcess.class, "contend", redis.url(), "30000")) {
            assertThat(turns(child)).as("it has begun").isNotNegative();
            for (int step = 1; step <= 12; step++) {
                child.setClock(Duration.ofMinutes(step));
                long wanted =
                        System.currentTimeMillis() + Duration.ofMinutes(step).toMillis();
                await().until(() -> wallClock(child) >= wanted);
                long before = turns(child);
                await().until(() -> turns(child) > before + 100);
            }
        }
    }

    private static long turns(ChildJvm child) throws Exception {
        return Long.parseLong(child.ask("?").split(" ")[0]);
    }

    private static long wallClock(ChildJvm child) throws Exception {
        return Long.parseLong(child.ask("?").split(" ")[1]);
    }

    /** Client and server are put ahead together, so it looks as if the client's monotonic clock had stood still. */
    @Test
    void aFixedLeaseEndsForAClientThatWasSuspendedWhenItEndsForTheStore() throws Exception {
        assumeThat(RedisServer.canSetClock())
                .as("Debian's package faketime is installed")
                .isTrue();
        try (RedisServer redis =
                RedisServer.builder(Version.V6_2).clock(Duration.ZERO).start()) {
            outlivesNoFixedLease(redis.url(), List.of(redis));
        }
    }

    @Test
    void aFixedLeaseOnAQuorumEndsForAClientThatWasSuspendedWhenItEndsForTheMembers() throws Exception {
        assumeThat(RedisServer.canSetClock())
                .as("Debian's package faketime is installed")
                .isTrue();
        try (QuorumServers members = new QuorumServers(
                3, "longest-lease=10m", RedisServer.builder(Version.V6_2).clock(Duration.ZERO))) {
            outlivesNoFixedLease(members.url(), members.all());
        }
    }

    private static void outlivesNoFixedLease(String url, List<RedisServer> servers) throws Exception {
        try (ChildJvm child = ChildJvm.startWithClock(TroubledProcess.class, "fixed", url, "600000")) {
            assertThat(child.ask("?")).startsWith("true ");
            suspend(child, servers, Duration.ofMinutes(5));
            await().untilAsserted(() -> {
                String[] answer = child.ask("?").split(" ");
                assertThat(answer[0]).isEqualTo("true");
                assertThat(Long.parseLong(answer[1])).isBetween(1L, 300_000L);
            });
            suspend(child, servers, Duration.ofMinutes(11));
            await().until(() -> child.ask("?").equals("false 0"));
        }
    }

    private static void suspend(ChildJvm child, List<RedisServer> servers, Duration since) throws Exception {
        for (RedisServer server : servers) {
            server.setClock(since);
        }
        child.setClock(since);
    }
}
