package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.DistributedSemaphore;
import io.belay.Inspection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of semaphores whose number others change, and of permits that go from hand to hand. */
abstract class SemaphoreContract extends TwoClients {
    private static final Duration LONG = Duration.ofMinutes(5);

    @BeforeEach
    void queues() {
        assumeTrue(spec.queues(), "the store keeps no queue and so has no semaphores");
    }

    @Test
    void whoJoinsLearnsHowManyPermitsThereAre() throws Exception {
        DistributedSemaphore joined = b.joinSemaphore("s");
        assertThatThrownBy(joined::total).isInstanceOf(LockRefusedException.class);
        DistributedSemaphore made = a.semaphore("s", 3);
        Lease one = made.acquire();
        assertThat(joined.total()).isEqualTo(3);
        assertThat(joined.available()).isEqualTo(2);
        assertThat(joined.permits(2).isLocked()).isFalse();
        assertThat(joined.permits(3).isLocked()).isTrue();
        giveBack(joined.permits(2).tryAcquire().orElseThrow());
        giveBack(one);
    }

    @Test
    void whoJoinedFollowsWhoeverResizes() throws Exception {
        DistributedSemaphore resized = a.semaphore("s", 2);
        resized.resize(4);
        DistributedSemaphore joined = b.joinSemaphore("s");
        DistributedLock two = joined.permits(2);
        giveBack(two.acquire());
        resized.resize(3);
        giveBack(two.acquire());
        assertThat(joined.total()).isEqualTo(3);
        resized.resize(5);
        giveBack(soon(two.acquireAsync()));
        assertThat(joined.total()).isEqualTo(5);
        assertThatThrownBy(() -> b.semaphore("s", 2).acquire())
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContainingAll("5 permits", "2 permits", "resize");
    }

    @Test
    void whoHasPermitsKeepsThemWhenThereAreFewer() throws Exception {
        DistributedSemaphore onA = a.semaphore("s", 4);
        DistributedSemaphore onB = b.semaphore("s", 4);
        Lease two = onA.permits(2).acquire();
        Lease one = onB.acquire();
        CompletableFuture<Lease> waits = onB.permits(2).acquireAsync();
        awaitClaims("s", 3);
        onA.resize(2);
        assertThat(onA.available()).isZero();
        assertThat(places()).containsExactly(0, 0, 1);
        giveBack(one);
        assertThat(onA.available()).isZero();
        assertThat(waits).isNotDone();
        Lease another = onA.reduceTo(two, 1);
        eventually().until(() -> onA.available() == 1);
        assertThat(waits).isNotDone();
        giveBack(another);
        giveBack(soon(waits));
        eventually().until(() -> onA.available() == 2);
        onA.resize(1);
        giveBack(onA.acquire());
    }

    @Test
    void allWhoHavePermitsAreHoldersWhenThereAreFewer() throws Exception {
        DistributedSemaphore onA = a.semaphore("s", 3);
        List<Lease> held = List.of(onA.acquire(), b.semaphore("s", 3).acquire(), onA.acquire());
        onA.resize(2);
        onA.resize(1);
        assertThat(places()).containsExactly(0, 0, 0);
        assertThat(onA.tryAcquire()).isEmpty();
        onA.resize(4);
        giveBack(onA.tryAcquire().orElseThrow());
        onA.resize(2);
        assertThat(places()).containsExactly(0, 0, 0);
        assertThat(a.admin().forceRelease("s")).isTrue();
        assertThat(places()).isEmpty();
        eventually().until(() -> held.stream().noneMatch(Lease::isHeld));
        giveBack(onA.permits(2).tryAcquire().orElseThrow());
    }

    /** Nobody waits for a lease to end. */
    @Test
    void whoWaitsForMoreThanThereAreNowIsRefusedAndInNobodysWay() throws Exception {
        LockOptions options = LockOptions.defaults().withLease(lease(LONG));
        DistributedSemaphore onA = a.semaphore("s", 4, options);
        DistributedSemaphore onB = b.semaphore("s", 4, options);
        Lease one = onA.acquire();
        CompletableFuture<Lease> four = onB.permits(4).acquireAsync();
        awaitClaims("s", 2);
        CompletableFuture<Lease> behind = onA.permits(2).acquireAsync();
        awaitClaims("s", 3);
        onA.resize(3);
        giveBack(one);
        giveBack(soon(behind));
        assertThatThrownBy(() -> soon(four)).hasCauseInstanceOf(LockRefusedException.class);
    }

    private List<Integer> places() {
        return a.admin().inspect("s").claims().stream()
                .map(Inspection.Claim::place)
                .toList();
    }

    @Test
    void aNumberThatWasSetIsForgottenOnceNobodyUsesIt() throws Exception {
        DistributedSemaphore onA = a.semaphore("s", 2);
        DistributedSemaphore onB = b.semaphore("s", 3);
        assertThat(onA.delete()).isFalse();
        onA.resize(4);
        Lease one = onA.acquire();
        assertThat(onB.delete()).isFalse();
        giveBack(one);
        assertThat(onB.available()).isEqualTo(4);
        assertThat(onB.delete()).isTrue();
        assertThat(onA.delete()).isFalse();
        giveBack(onB.permits(3).tryAcquire().orElseThrow());
        giveBack(b.lock("s").tryAcquire().orElseThrow());
    }

    @Test
    void whatIsInUseAsSomethingElseIsNotResized() throws Exception {
        Lease lock = a.lock("s").acquire();
        CompletableFuture<Lease> next = b.lock("s").acquireAsync();
        awaitClaims("s", 2);
        assertThatThrownBy(() -> b.joinSemaphore("s").resize(3))
                .isInstanceOf(LockRefusedException.class)
                .hasMessageContainingAll("'s'", "another name");
        giveBack(lock);
        giveBack(soon(next));
        giveBack(b.lock("s").tryAcquire().orElseThrow());
        b.joinSemaphore("s").resize(3);
        assertThat(a.joinSemaphore("s").available()).isEqualTo(3);
        assertThat(a.joinSemaphore("s").delete()).isTrue();
    }

    @Test
    void someOfThePermitsAreGivenBackAndTheRestIsKept() throws Exception {
        DistributedSemaphore onA = a.semaphore("s", 3);
        DistributedSemaphore onB = b.semaphore("s", 3);
        Lease three = onA.permits(3).acquire();
        CompletableFuture<Lease> two = onB.permits(2).acquireAsync();
        awaitClaims("s", 2);
        Lease one = onA.reduceTo(three, 1);
        assertThat(three.isHeld()).isFalse();
        giveBack(soon(two));
        eventually().until(() -> onB.available() == 2);
        giveBack(one);
        eventually().until(() -> onB.available() == 3);
    }

    @Test
    void permitsAreGivenBackAlsoWhereThereAreFewerThanAreHeld() throws Exception {
        DistributedSemaphore onA = a.semaphore("s", 10);
        Lease five = onA.permits(5).acquire();
        Lease others = b.semaphore("s", 10).permits(5).acquire();
        onA.resize(4);
        Lease one = onA.reduceTo(five, 1);
        giveBack(others);
        eventually().until(() -> onA.available() == 3);
        giveBack(one);
        eventually().until(() -> onA.available() == 4);
    }

    @Test
    void permitsAreGivenBackByTheirTicketElsewhere() throws Exception {
        DistributedSemaphore onA = a.semaphore("s", 3);
        DistributedSemaphore onB = b.semaphore("s", 3);
        Lease two = onA.permits(2).acquire();
        String ticket = onA.ticket(two);
        CompletableFuture<Lease> next = onB.permits(3).acquireAsync();
        awaitClaims("s", 2);
        assertThat(onB.giveBack(ticket)).isEqualTo(ReleaseOutcome.RELEASED);
        giveBack(soon(next));
        assertThat(onB.giveBack(ticket)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
        assertThatThrownBy(() -> b.semaphore("t", 3).giveBack(ticket)).isInstanceOf(IllegalArgumentException.class);
        eventually().until(() -> !two.isHeld() || two.release() == ReleaseOutcome.ALREADY_LOST);
    }

    @Test
    void permitsThatAProcessHandsOnStayTakenUntilTheyAreGivenBack() throws Exception {
        assumeLeasePerClaim();
        String ticket;
        try (Belay handing = connect("handing")) {
            DistributedSemaphore semaphore = handing.semaphore("s", 2);
            Lease both = semaphore.permits(2).acquire();
            ticket = semaphore.ticket(both);
            isGivenBack(both.releaseAfter(lease(Duration.ofMinutes(5))));
        }
        DistributedSemaphore joined = b.joinSemaphore("s");
        assertThat(joined.available()).isZero();
        CompletableFuture<Lease> next = joined.permits(1).acquireAsync();
        staysUndone(next);
        assertThat(a.joinSemaphore("s").giveBack(ticket)).isEqualTo(ReleaseOutcome.RELEASED);
        giveBack(soon(next));
        assertThat(joined.giveBack(ticket)).isEqualTo(ReleaseOutcome.ALREADY_LOST);
    }
}
