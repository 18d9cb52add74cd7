package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
    void ofSeveralLocksAllAreHadOrNone() throws Exception {
        MultiLock all = MultiLock.of(a, List.of("r", "q", "p"));
        Lease taken = b.lock("q").acquire();
        assertThat(answered(() -> all.tryAcquire(A_WHILE))).isEmpty();
        giveBack(soon(b.lock("p").acquireAsync()));
        giveBack(taken);
        MultiLease held = all.acquireAsync().get(soon(), TimeUnit.SECONDS);
        for (Lease one : held.leases()) {
            assertThat(waitInVain(b.lock(one.name()))).isEmpty();
        }
        isGivenBack(held.release());
        for (Lease one : held.leases()) {
            giveBack(soon(b.lock(one.name()).acquireAsync()));
        }
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
