package io.belay.internal;

import static io.belay.internal.TestWorld.held;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Lease;
import io.belay.internal.TestWorld.Node;
import io.belay.spi.Confirmation;
import io.belay.spi.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a client makes of replicas that have, or lack, what its store answers. */
class ConfirmationTest {
    private static final Confirmation NONE = Confirmation.of(0, 1);
    private static final Confirmation ENOUGH = Confirmation.of(2, 1);

    private final TestWorld world = new TestWorld();
    private final Node a = world.client();
    private final List<String> told = new ArrayList<>();

    private Lease acquire() {
        Lease lease = held(a.lock("x").acquireAsync());
        lease.onLost(loss -> told.add(loss.getMessage()));
        return lease;
    }

    @Test
    void nothingIsSaidWhereNobodyAsks() {
        assertThat(acquire().replicas()).isEmpty();
    }

    @Test
    void whatEnoughReplicasHaveIsRenewed() {
        a.line().confirmation = ENOUGH;
        Lease lease = acquire();
        world.pass(Duration.ofMinutes(5));
        assertThat(lease.replicas()).hasValue(2);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void renewalsThatTooFewReplicasHaveMoveNoDeadline() {
        a.line().confirmation = NONE;
        Lease lease = acquire();
        assertThat(lease.replicas()).hasValue(0);
        world.pass(Duration.ofSeconds(29));
        assertThat(lease.isHeld()).isTrue();
        world.pass(Duration.ofSeconds(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(told)
                .singleElement()
                .asString()
                .contains("could not be renewed in time; 0 of the 1 replicas asked for had confirmed it");
        assertThat(a.sent(Request.Renew.class)).isBetween(5L, 40L);
        assertThat(world.claims("x")).isEmpty();
    }

    @Test
    void aReplicaThatComesBackInTimeSavesTheLease() {
        a.line().confirmation = NONE;
        Lease lease = acquire();
        world.pass(Duration.ofSeconds(28));
        a.line().confirmation = ENOUGH;
        world.pass(Duration.ofMinutes(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(told).isEmpty();
    }

    /** It is an enter's answer that comes late: to lose the lock after two seconds would help nobody. */
    @Test
    void aGrantThatIsPickedUpCountsAsEntered() {
        Lease before = held(world.client().lock("x").acquireAsync());
        a.line().confirmation = NONE;
        CompletableFuture<Lease> waiting = a.lock("x").acquireAsync();
        before.releaseAsync();
        Lease lease = held(waiting);
        lease.onLost(loss -> told.add(loss.getMessage()));
        assertThat(lease.replicas()).hasValue(0);
        world.pass(Duration.ofSeconds(29));
        assertThat(lease.isHeld()).isTrue();
        world.pass(Duration.ofSeconds(2));
        assertThat(told).hasSize(1);
    }
}
