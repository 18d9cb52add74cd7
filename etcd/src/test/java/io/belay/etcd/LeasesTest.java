package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.spi.ClaimId;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.api.LeaseGrantResponse;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which leases of one claim are revoked, and when: never one that its key may be attached to. */
class LeasesTest {
    private static final ClaimId ID = ClaimId.of(1, 1);
    private static final Node NODE = new Node("x", ID, 1, 1, 64, 1, Details.ofWeight(1));
    private static final long HOUR = 3_600_000_000L;

    private final List<Long> revoked = new ArrayList<>();
    private final Deque<CompletableFuture<Object>> grants = new ArrayDeque<>();

    private Leases leases(Duration timeout) {
        return new Leases(
                (Lease) Proxy.newProxyInstance(
                        Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, arguments) -> {
                            if (method.getName().equals("revoke")) {
                                revoked.add((Long) arguments[0]);
                                return CompletableFuture.completedFuture(null);
                            }
                            return grants.remove();
                        }),
                timeout);
    }

    private static Object granted(long number) {
        return new io.etcd.jetcd.lease.LeaseGrantResponse(
                LeaseGrantResponse.newBuilder().setID(number).build());
    }

    private Leases.Fixed grant(Leases leases, long number) {
        grants.add(CompletableFuture.completedFuture(granted(number)));
        return leases.grant(ID, HOUR).join();
    }

    private final Leases leases = leases(Duration.ofMinutes(10));

    @Test
    void theOneBeforeIsRevokedWhenTheKeyHasMoved() {
        Leases.Fixed first = grant(leases, 11);
        assertThat(leases.isMoving(NODE)).isTrue();
        leases.moved(ID, first, 5);
        assertThat(leases.isMoving(NODE)).isFalse();
        assertThat(leases.number(NODE)).isEqualTo(11);
        Leases.Fixed second = grant(leases, 12);
        assertThat(revoked).isEmpty();
        leases.moved(ID, second, 6);
        assertThat(revoked).containsExactly(11L);
        assertThat(leases.number(NODE)).isEqualTo(12);
    }

    @Test
    void theLaterMoveCountsWhicheverIsAnsweredFirst() {
        Leases.Fixed first = grant(leases, 11);
        Leases.Fixed second = grant(leases, 12);
        leases.moved(ID, second, 6);
        assertThat(leases.isMoving(NODE)).isTrue();
        leases.moved(ID, first, 5);
        assertThat(revoked).containsExactly(11L);
        assertThat(leases.number(NODE)).isEqualTo(12);
        assertThat(leases.isMoving(NODE)).isFalse();
    }

    @Test
    void oneToWhichTheKeyDidNotMoveIsRevoked() {
        leases.dropMove(ID, grant(leases, 11));
        assertThat(revoked).containsExactly(11L);
        assertThat(leases.isMoving(NODE)).isFalse();
    }

    @Test
    void oneWhoseMoveWasNotAnsweredIsKeptUntilTheClaimIsLeft() {
        Leases.Fixed lost = grant(leases, 11);
        leases.moved(ID, grant(leases, 12), 6);
        assertThat(revoked).isEmpty();
        assertThat(leases.isMoving(NODE)).isTrue();
        assertThat(leases.until(NODE, 11)).contains(lost.until());
        assertThat(leases.isOver(ID)).isFalse();
        leases.forget(ID);
        assertThat(revoked).containsExactlyInAnyOrder(11L, 12L);
        assertThat(leases.isMoving(NODE)).isFalse();
        assertThat(leases.isOver(ID)).isTrue();
    }

    @Test
    void oneThatIsGrantedTooLateIsRevoked() {
        CompletableFuture<Object> late = new CompletableFuture<>();
        grants.add(late);
        Leases impatient = leases(Duration.ofMillis(1));
        CompletableFuture<Leases.Fixed> asked = impatient.grant(ID, HOUR);
        await().until(asked::isCompletedExceptionally);
        late.complete(granted(11));
        await().until(() -> revoked.equals(List.of(11L)));
        assertThat(impatient.isMoving(NODE)).isFalse();
    }
}
