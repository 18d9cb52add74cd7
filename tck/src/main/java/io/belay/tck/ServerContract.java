package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that is killed, and one whose clock jumps. */
abstract class ServerContract extends TwoClients {
    private Server server;

    @BeforeEach
    void server() {
        assumeTrue(spec.server().isPresent(), "the store has no server that can be killed");
        server = spec.server().orElseThrow();
    }

    @Test
    void aHolderWhoseServerIsGoneIsToldAtTheDeadline() throws Exception {
        Lease held = a.lock("x", brief()).acquire();
        server.kill();
        loss(held).get(soon(), TimeUnit.SECONDS);
        assertThat(held.isHeld()).isFalse();
        server.restart();
        giveBack(soon(a.lock("x").acquireAsync()));
    }

    @Test
    void whoWaitsWhileTheServerIsKilledIsServedByTheNextOne() throws Exception {
        Lease held = a.lock("x", brief()).acquire();
        CompletableFuture<Lease> waiting = queued(b.lock("x", brief()));
        server.kill();
        loss(held).get(soon(), TimeUnit.SECONDS);
        server.restart();
        Lease next = soon(waiting);
        assertThat(held.isHeld()).isFalse();
        assertThat(next.token()).isGreaterThan(held.token());
        Optional<Lease> other = a.lock("x").tryAcquire();
        premise.holds(next);
        assertThat(other).isEmpty();
        giveBack(next);
    }

    @Test
    void tokensRiseAndLocksAreHandedOverThoughTheClockJumps() throws Exception {
        assumeTrue(server.canSetClock(), "the clock of the server cannot be set");
        long token = 0;
        for (int hours : new int[] {0, 1, -1, 0, 2}) {
            server.setClock(Duration.ofHours(hours));
            for (int i = 0; i < 2; i++) {
                Lease held = soon(a.lock("x").acquireAsync());
                assertThat(held.token()).as("at %d hours", hours).isGreaterThan(token);
                CompletableFuture<Lease> waiting = queued(b.lock("x"));
                giveBack(held);
                token = soon(waiting).token();
                assertThat(token).as("at %d hours", hours).isGreaterThan(held.token());
                giveBack(waiting.join());
            }
        }
    }

    @Test
    void aHoldOutlastsAClockThatIsPutBack() throws Exception {
        assumeTrue(server.canSetClock(), "the clock of the server cannot be set");
        Lease held = a.lock("x", brief()).acquire();
        server.setClock(Duration.ofHours(-1));
        Thread.sleep(premise.lease().plusMillis(300).toMillis());
        premise.holds(held);
        assertThat(b.lock("x").tryAcquire()).isEmpty();
        giveBack(held);
        giveBack(soon(b.lock("x").acquireAsync()));
    }

    @Test
    void aHoldThatAClockPutAheadHasEndedIsToldByTheNextRenewal() throws Exception {
        assumeTrue(server.canSetClock(), "the clock of the server cannot be set");
        Lease held = a.lock("x", brief()).acquire();
        server.setClock(Duration.ofHours(1));
        Lease next = soon(b.lock("x").acquireAsync());
        loss(held).get(soon(), TimeUnit.SECONDS);
        assertThat(held.isHeld()).isFalse();
        assertThat(next.token()).isGreaterThan(held.token());
        giveBack(next);
    }

    /** Puts the clock back, so that the store keeps a deadline an hour away, on which a holder must not rely. */
    @Test
    void aHoldIsToldOfAClockThatIsPutBackAndThenAhead() throws Exception {
        assumeTrue(server.canSetClock(), "the clock of the server cannot be set");
        Lease held = a.lock("x", brief()).acquire();
        CompletableFuture<?> lost = loss(held);
        server.setClock(Duration.ofHours(-1));
        Thread.sleep(premise.lease().dividedBy(2).toMillis()); // it is renewed meanwhile
        premise.holds(held);
        server.setClock(Duration.ofHours(1));
        Lease next = soon(b.lock("x").acquireAsync());
        lost.get(soon(), TimeUnit.SECONDS);
        assertThat(held.isHeld()).isFalse();
        assertThat(next.token()).isGreaterThan(held.token());
        giveBack(next);
    }
}
