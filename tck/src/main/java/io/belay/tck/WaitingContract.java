package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Waits that are served, and waits that end early. */
abstract class WaitingContract extends TwoClients {
    private LockOptions strict() {
        return options().withStrictOrder(true);
    }

    @Test
    void aTimedWaitGivesUpAndLeavesTheQueue() throws Exception {
        Lease held = a.lock("x").acquire();
        assertThat(waitInVain(b.lock("x"))).isEmpty();
        assertThat(answered(() -> b.lock("x").tryAcquireAsync(A_WHILE).join())).isEmpty();
        awaitClaims("x", 1);
        giveBack(held);
        giveBack(b.lock("x").tryAcquire().orElseThrow());
    }

    @Test
    void whoDoesNotWaitLeavesNothingBehind() throws Exception {
        Lease held = a.lock("x").acquire();
        for (int i = 0; i < 3; i++) {
            assertThat(b.lock("x").tryAcquire()).isEmpty();
        }
        assertThat(a.admin().inspect("x").claims()).hasSize(1);
        giveBack(held);
        awaitClaims("x", 0);
    }

    @Test
    void aTimedWaitThatIsServedInTimeHasTheLock() throws Exception {
        Lease held = a.lock("x").acquire();
        CompletableFuture<Lease> timed =
                b.lock("x").tryAcquireAsync(Duration.ofSeconds(soon())).thenApply(lease -> lease.orElseThrow());
        staysUndone(timed);
        giveBack(held);
        giveBack(soon(timed));
    }

    @Test
    void callersOfDifferentClientsAreServedInTheOrderInWhichTheyCame() throws Exception {
        assumeTrue(spec.queues(), "the store keeps no queue");
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> all = new ArrayList<>();
        Lease held = a.lock("x", strict()).acquire();
        for (int i = 0; i < 6; i++) {
            int caller = i;
            Belay client = i % 3 == 0 ? a : b;
            all.add(queued(client.lock("x", strict())).thenAccept(lease -> {
                served.add(caller);
                giveBack(lease);
            }));
        }
        long given = System.nanoTime();
        giveBack(held);
        for (CompletableFuture<Void> one : all) {
            one.get(soon(), TimeUnit.SECONDS);
        }
        List<Integer> asTheyCame = List.of(0, 1, 2, 3, 4, 5);
        if (premise.mayBeOver(given)) { // who did not come to pick its grant up is passed over
            premise.holds(served.equals(asTheyCame), "all are served as they came: " + served);
        }
        assertThat(served).isEqualTo(asTheyCame);
    }

    @Test
    void whoWaitsBehindACancelledWaitIsServedInItsPlace() throws Exception {
        Lease held = a.lock("x").acquire();
        CompletableFuture<Lease> cancelled = queued(b.lock("x", strict()));
        CompletableFuture<Lease> next = queued(b.lock("x", strict()));
        assertThat(cancelled.cancel(true)).isTrue();
        if (spec.queues()) {
            awaitClaims("x", 2);
        }
        giveBack(held);
        giveBack(soon(next));
        awaitClaims("x", 0);
    }

    @Test
    void aCancelledWaitGivesWayAtOnceToThoseWhomItKeptOut() throws Exception {
        assumeTrue(spec.queues(), "the store keeps no queue");
        Lease reader = a.readWriteLock("x").readLock().acquire();
        CompletableFuture<Lease> writer = queued(b.readWriteLock("x").writeLock());
        CompletableFuture<Lease> late = queued(a.readWriteLock("x").readLock());
        assertThat(writer.cancel(true)).isTrue();
        giveBack(soon(late));
        giveBack(reader);
    }

    @Test
    void anInterruptedWaitThrowsAndLeavesTheQueue() throws Exception {
        Lease held = a.lock("x").acquire();
        for (Wait wait : List.<Wait>of(
                DistributedLock::acquire,
                lock -> lock.tryAcquire(Duration.ofMinutes(10)).orElseThrow())) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                try {
                    Lease lease = wait.on(b.lock("x"));
                    thrown.complete(new AssertionError("it was granted " + lease));
                } catch (Throwable e) {
                    thrown.complete(e);
                }
            });
            waiter.start();
            if (spec.queues()) {
                awaitClaims("x", 2);
            } else {
                staysUndone(thrown);
            }
            waiter.interrupt();
            assertThat(thrown.get(soon(), TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            awaitClaims("x", 1);
        }
        giveBack(held);
        giveBack(b.lock("x").tryAcquire().orElseThrow());
    }

    private interface Wait {
        Lease on(DistributedLock lock) throws InterruptedException;
    }

    @Test
    void whoIsInterruptedBeforeDoesNotWaitAtAll() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> a.lock("x").acquire()).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> a.lock("x").tryAcquire(Duration.ofSeconds(1)))
                .isInstanceOf(InterruptedException.class);
        assertThat(b.admin().inspect("x").claims()).isEmpty();
    }

    @Test
    void anInterruptIsKeptByAReleaseWhichGetsThrough() throws Exception {
        Lease held = a.lock("x").acquire();
        Thread.currentThread().interrupt();
        giveBack(held);
        assertThat(Thread.interrupted()).isTrue();
        giveBack(b.lock("x").tryAcquire().orElseThrow());
    }

    /** The first client tells the store with its next renewal. */
    @Test
    void othersSeeHowManyWaitInsideTheHoldersClient() throws Exception {
        DistributedLock lock = a.lock("x", options().withLease(lease(Duration.ofSeconds(3))));
        Lease held = lock.acquire();
        List<CompletableFuture<Lease>> inside = List.of(lock.acquireAsync(), lock.acquireAsync());
        eventually().until(() -> !held.isHeld() || localWaiters(b) == 2);
        premise.holds(held);
        giveBack(held);
        for (CompletableFuture<Lease> waiting : inside) {
            giveBack(soon(waiting));
        }
    }

    private static int localWaiters(Belay client) {
        return client.admin().inspect("x").claims().stream()
                .mapToInt(Inspection.Claim::localWaiters)
                .sum();
    }

    @Test
    void aClientThatClosesGivesBackWhatItHoldsAndWaitsNoLonger() throws Exception {
        Belay other = connect("other");
        Lease held = other.lock("x").acquire();
        Lease mine = a.lock("y").acquire();
        CompletableFuture<Lease> failing = other.lock("y").acquireAsync();
        CompletableFuture<Lease> next = queued(b.lock("x"));
        other.close();
        giveBack(soon(next));
        assertThat(held.isHeld()).isFalse();
        assertThatThrownBy(() -> soon(failing)).hasCauseInstanceOf(ClientClosedException.class);
        giveBack(mine);
        giveBack(b.lock("y").tryAcquire().orElseThrow());
        assertThatThrownBy(() -> other.lock("x").tryAcquire()).isInstanceOf(ClientClosedException.class);
    }
}
