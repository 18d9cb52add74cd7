package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.ClaimRefusedException;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.internal.TestWorld.Node;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Permits are had all or none, in order, and come back. */
class SemaphoreTest {
    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final Node b = world.client();
    private final DistributedSemaphore onA = a.client().semaphore("s", 3);
    private final DistributedSemaphore onB = b.client().semaphore("s", 3);

    @AfterEach
    void nothingIsLeft() {
        for (Node node : List.of(a, b)) {
            node.client().close();
            assertThat(node.size()).isZero();
            assertThat(node.engine().timers().size()).isZero();
        }
        assertThat(world.claims("s")).isEmpty();
    }

    @Test
    void soManyAsThereAreAreHadAtATime() {
        Lease two = held(onA.permits(2).acquireAsync());
        assertThat(onA.available()).isEqualTo(1);
        Lease one = held(onB.permits(1).acquireAsync());
        assertThat(onB.available()).isZero();
        assertThat(onA.tryAcquire()).isEmpty();
        two.release();
        assertThat(onA.tryAcquire()).isPresent().get().satisfies(Lease::release);
        one.release();
        assertThat(onA.available()).isEqualTo(3);
    }

    @Test
    void whoWantsManyIsNotOvertaken() {
        Lease one = held(onA.permits(1).acquireAsync());
        CompletableFuture<Lease> all = onB.permits(3).acquireAsync();
        CompletableFuture<Lease> late = onA.permits(1).acquireAsync();
        assertThat(late).isNotDone();
        assertThat(onA.tryAcquire()).isEmpty();
        one.release();
        held(all).release();
        held(late).release();
    }

    @Test
    void twoThatWantAllOfItTakeTurns() {
        Lease first = held(onA.permits(3).acquireAsync());
        CompletableFuture<Lease> second = onB.permits(3).acquireAsync();
        assertThat(second).isNotDone();
        first.release();
        held(second).release();
    }

    @Test
    void permitsOfADeadProcessComeBack() {
        held(onA.permits(3).acquireAsync());
        a.line().line = FaultyStore.Line.SILENT; // it is never heard of again
        CompletableFuture<Lease> next = onB.permits(2).acquireAsync();
        world.pass(Duration.ofSeconds(31));
        held(next).release();
        a.line().up();
    }

    @Test
    void aLargerNumberServesThoseWhoWait() {
        Lease all = held(onA.permits(3).acquireAsync());
        CompletableFuture<Lease> next = onB.permits(2).acquireAsync();
        onA.resize(5);
        held(next).release();
        all.release();
        assertThat(onA.total()).isEqualTo(5);
        held(onA.permits(5).acquireAsync()).release();
        CompletableFuture<Lease> refused = onB.permits(1).acquireAsync();
        assertThatThrownBy(refused::join)
                .hasCauseInstanceOf(ClaimRefusedException.class)
                .hasMessageContaining("5")
                .hasMessageContaining("3");
    }

    @Test
    void aSmallerNumberTakesNothingAwayAndEndsWaitsThatAreInVain() {
        Lease all = held(onA.permits(3).acquireAsync());
        CompletableFuture<Lease> three = onB.permits(3).acquireAsync();
        onA.resize(2);
        assertThat(all.isHeld()).isTrue();
        assertThatThrownBy(three::join)
                .hasCauseInstanceOf(ClaimRefusedException.class)
                .hasMessageContaining("'s'");
        assertThat(onA.tryAcquire()).isEmpty();
        all.release();
        held(onA.permits(2).acquireAsync()).release();
    }

    @Test
    void whatCanNeverBeHadIsRefusedAtOnce() {
        assertThatThrownBy(() -> onA.permits(4)).hasMessageContaining("'s'").hasMessageContaining("3");
        assertThatThrownBy(() -> onA.permits(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> a.client().semaphore("s", 0)).hasMessageContaining("0 permits");
        Lease one = held(onA.permits(1).acquireAsync());
        CompletableFuture<Lease> other = b.client().semaphore("s", 4).permits(1).acquireAsync();
        assertThatThrownBy(other::join).hasCauseInstanceOf(ClaimRefusedException.class);
        one.release();
    }
}
