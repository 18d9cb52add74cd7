package io.belay.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Shows that two clients meet, that commands and pushes get through: one waits for what the other holds, and gets it. */
final class HandOver {
    private HandOver() {}

    static void between(Belay first, Belay second) throws Exception {
        Premise.withLease(Duration.ofSeconds(30), lease -> once(first, second));
    }

    private static void once(Belay first, Belay second) throws Exception {
        Lease held = first.lock("handed over").acquire();
        CompletableFuture<Lease> waiting =
                second.lock("handed over").acquireAsync().toCompletableFuture();
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> first.admin().inspect("handed over").claims().size() == 2);
        try (Stalls stalls = Stalls.watch()) {
            ReleaseOutcome released = held.release();
            Lease next = waiting.get(Pace.seconds(), SECONDS);
            Duration taken = stalls.taken();
            ReleaseOutcome last = next.release();
            assertThat(next.token()).isGreaterThan(held.token());
            stalls.inTime(released == ReleaseOutcome.RELEASED, "the release is answered");
            stalls.inTime(last == ReleaseOutcome.RELEASED, "the next one's release is answered");
            // A second is less than a waiter's own renewal.
            stalls.inTime(taken.toSeconds() < 1, "the push has come");
        }
    }
}
