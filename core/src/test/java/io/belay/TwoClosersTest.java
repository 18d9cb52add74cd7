package io.belay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.Pace;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two threads that close one client: each returns once the last holder has released. */
class TwoClosersTest {
    @Test
    void bothAreWoken() throws Exception {
        Belay belay = Belay.connect("memory:two-closers");
        Lease held = belay.lock("x").acquire();
        Duration drain = Pace.patience().multipliedBy(2);
        CompletableFuture<Void> one = closing(belay, drain);
        CompletableFuture<Void> two = closing(belay, drain);
        held.release();
        CompletableFuture.allOf(one, two).get(Pace.seconds(), TimeUnit.SECONDS);
        assertThat(held.isHeld()).isFalse();
    }

    /** Begins to close, and returns once that thread waits for the holder. */
    private static CompletableFuture<Void> closing(Belay belay, Duration drain) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread closer = new Thread(() -> {
            belay.close(drain);
            closed.complete(null);
        });
        closer.start();
        await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
        return closed;
    }
}
