package io.belay.redis;

import io.belay.Belay;
import io.belay.DistributedSemaphore;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many who wait for the permits of one semaphore, each with a claim of its own. */
class CrowdTest {
    @Test
    void allAreServed() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
                Belay belay = Belay.connect(server.url())) {
            DistributedSemaphore semaphore = belay.semaphore("licences", 10);
            CompletableFuture.allOf(IntStream.range(0, 4_000)
                            .mapToObj(i -> semaphore.permits(1).acquireAsync().thenAccept(lease -> {
                                var unused = lease.releaseAsync();
                            }))
                            .toArray(CompletableFuture[]::new))
                    .get(Pace.seconds(), TimeUnit.SECONDS);
        }
    }
}
