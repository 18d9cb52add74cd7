package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.DistributedCountDownLatch;
import io.belay.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long the key of a latch is kept, whose count lasts for a century. */
class LatchKeyTest {
    @ParameterizedTest
    @EnumSource
    void itGoesSoonAfterTheLatchHasOpenedOrWasDeleted(RedisServer.Version version) throws Exception {
        try (RedisServer server = RedisServer.start(version);
                Belay belay = Belay.connect(server.url())) {
            DistributedCountDownLatch opened = belay.countDownLatch("opened");
            opened.trySetCount(1);
            assertThat(left(server, "opened")).isGreaterThan(Duration.ofDays(365));
            opened.countDown();
            opened.await();
            DistributedCountDownLatch deleted = belay.countDownLatch("deleted");
            deleted.trySetCount(1);
            deleted.delete();
            assertThat(left(server, "opened")).isLessThan(Duration.ofMinutes(5));
            assertThat(left(server, "deleted")).isLessThan(Duration.ofMinutes(5));
        }
    }

    private static Duration left(RedisServer server, String name) throws Exception {
        return Duration.ofMillis(
                Long.parseLong(server.command("PTTL", "belay:" + name).trim()));
    }
}
