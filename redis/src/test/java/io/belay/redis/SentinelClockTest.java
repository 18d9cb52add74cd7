package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockRefusedException;
import io.belay.servers.RedisSentinels;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica takes over whose clock is behind: that is said, and no token goes back unnoticed. */
@Tag("long")
class SentinelClockTest {
    @Test
    void aReplicaWhoseClockIsBehindIsNoticed() throws Exception {
        assumeThat(RedisServer.canSetClock())
                .as("Debian's package faketime is installed")
                .isTrue();
        RedisServer master = RedisServer.start(Version.V6_2);
        RedisServer replica = RedisServer.builder(Version.V6_2)
                .clock(Duration.ofSeconds(-10))
                .replicaOf(master.port())
                .start();
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream before = System.err;
        try (RedisSentinels trio = RedisSentinels.watch(List.of(master, replica), RedisSentinels.PATIENT);
                PrintStream capture = new PrintStream(log, true, StandardCharsets.UTF_8);
                Belay belay =
                        Belay.connect("redis-sentinel://" + trio.addresses() + "?master=" + RedisSentinels.NAME)) {
            DistributedLock known = belay.lock("known");
            DistributedLock missed = belay.lock("missed");
            long first = once(known);
            replica.awaitSync(master);
            replica.detach();
            once(missed);
            System.setErr(capture);
            master.kill();
            trio.replace(master);

            assertThat(once(known)).as("its record shows what came before").isGreaterThan(first);
            assertThatThrownBy(() -> once(missed))
                    .isInstanceOf(LockRefusedException.class)
                    .hasMessageContaining("The store went back");
            await().untilAsserted(() -> assertThat(log.toString(StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> line.contains(" took over from ")))
                    .singleElement()
                    .asString()
                    .contains(
                            "WARN",
                            "Redis at 127.0.0.1:" + replica.port(),
                            "Redis at 127.0.0.1:" + master.port(),
                            " ms behind the last one's, so tokens may go back: set the clocks by NTP"));
        } finally {
            System.setErr(before);
        }
    }

    /** Takes the lock as soon as that can be, and gives it back. */
    private static long once(DistributedLock lock) throws InterruptedException {
        try (Lease lease = lock.tryAcquire(Duration.ofSeconds(30)).orElseThrow()) {
            return lease.token();
        }
    }
}
