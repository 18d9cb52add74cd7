package io.belay.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.Release;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Shows that two clients meet, that commands and pushes get through: one waits for what the other holds, and gets it. */
final class HandOver {
    private HandOver() {}

    static void between(Belay first, Belay second) throws Exception {
        Lease held = first.lock("handed over").tryAcquire().orElseThrow();
        CompletableFuture<Lease> waiting =
                second.lock("handed over").acquireAsync().toCompletableFuture();
        await().atMost(5, SECONDS)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> first.inspect("handed over").claims().size() == 2);
        assertThat(held.release()).isEqualTo(Release.RELEASED);
        // A second is less than a waiter's own renewal: the push has come.
        Lease next = waiting.get(1, SECONDS);
        assertThat(next.token()).isGreaterThan(held.token());
        assertThat(next.release()).isEqualTo(Release.RELEASED);
    }
}
