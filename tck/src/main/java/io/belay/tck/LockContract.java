package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The contract of exclusive locks between two clients of a real store. */
abstract class LockContract extends TwoClients {
    @Test
    void aLockIsHeldByOneAtATime() throws Exception {
        Lease first = a.lock("x").acquire();
        assertThat(b.lock("x").tryAcquire()).isEmpty();
        assertThat(waitInVain(b.lock("x"))).isEmpty();
        CompletableFuture<Lease> second = b.lock("x").acquireAsync();
        staysUndone(second);
        giveBack(first);
        assertThat(soon(second).token()).isGreaterThan(first.token());
        giveBack(second.join());
    }

    @Test
    void aStickyLockGoesToWhoeverWantsIt() throws Exception {
        // A lease so long that no renewal tells what was not pushed.
        LockOptions sticky = options().withSticky(Duration.ofMinutes(1)).withLease(lease(Duration.ofMinutes(5)));
        giveBack(a.lock("x", sticky).acquire());
        assertThat(a.admin().inspect("x").claims()).hasSize(1);
        Lease other = soon(b.lock("x").acquireAsync());
        CompletableFuture<Lease> again = a.lock("x", sticky).acquireAsync();
        staysUndone(again);
        giveBack(other);
        assertThat(soon(again).token()).isGreaterThan(other.token());
        giveBack(again.join());
        Lease mine = a.lock("x", sticky).acquire();
        CompletableFuture<Lease> waiting = b.lock("x").acquireAsync();
        staysUndone(waiting);
        giveBack(mine);
        giveBack(soon(waiting));
    }
}
