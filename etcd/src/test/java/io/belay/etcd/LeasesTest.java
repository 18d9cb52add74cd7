package io.belay.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.api.LeaseGrantResponse;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which leases of a claim are revoked, never one that its key may be attached to, and which are remembered. */
class LeasesTest {
    private static final ClaimId ID = ClaimId.of(1, 1);
    private static final Node NODE = new Node("x", ID, 1, 1, 64, 1, Details.ofWeight(1));
    private static final long HOUR = 3_600_000_000L;

    private final List<Long> revoked = new ArrayList<>();
    /** For how many seconds leases were asked for. */
    private final List<Long> asked = new ArrayList<>();

    private final Deque<CompletableFuture<Object>> grants = new ArrayDeque<>();

    private Leases leases(Duration timeout) {
        return new Leases(
                (Lease) Proxy.newProxyInstance(
                        Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, arguments) -> {
                            if (method.getName().equals("revoke")) {
                                revoked.add((Long) arguments[0]);
                                return CompletableFuture.completedFuture(null);
                            }
                            asked.add((Long) arguments[0]);
                            return grants.remove();
                        }),
                timeout,
                ID.client());
    }

    private static Object granted(long number) {
        return new io.etcd.jetcd.lease.LeaseGrantResponse(
                LeaseGrantResponse.newBuilder().setID(number).setTTL(60).build());
    }

    /** Lets the claim enter. */
    private Leases entered(Leases leases) {
        grants.add(CompletableFuture.completedFuture(granted(10)));
        leases.entering(ID);
        leases.usable(ID, NODE.details()).join();
        leases.entered(ID);
        return leases;
    }

    private Leases.Fixed grant(Leases leases, long number) {
        grants.add(CompletableFuture.completedFuture(granted(number)));
        return leases.grant(ID, HOUR).join();
    }

    private final Leases leases = entered(leases(Duration.ofMinutes(10)));

    /** As of permits that the holder of their ticket gives back. */
    @Test
    void onlyAnOwnClaimIsKnownToBeOver() {
        assertThat(leases.isOver(ClaimId.of(ID.client(), 2))).isTrue();
        assertThat(leases.isOver(ClaimId.of(2, 1))).isFalse();
        assertThat(leases.isOver(ID)).isFalse();
    }

    @Test
    void whoEntersKeepsNothingAliveThatWasLeftInVain() {
        ClaimId other = ClaimId.of(1, 2);
        leases.leftInVain(ID);
        grants.add(CompletableFuture.completedFuture(granted(20)));
        leases.entering(other);
        assertThat(leases.usable(other, NODE.details()).join().id()).isEqualTo(20);
        assertThat(leases.number(NODE)).hasValue(10);
    }

    @Test
    void theOneBeforeIsRevokedWhenTheKeyHasMoved() {
        Leases.Fixed first = grant(leases, 11);
        assertThat(leases.number(NODE)).as("it is moving").isEmpty();
        leases.moved(ID, first, 5);
        assertThat(leases.number(NODE)).hasValue(11);
        Leases.Fixed second = grant(leases, 12);
        assertThat(revoked).isEmpty();
        leases.moved(ID, second, 6);
        assertThat(revoked).containsExactly(11L);
        assertThat(leases.number(NODE)).hasValue(12);
    }

    @Test
    void theLaterMoveCountsWhicheverIsAnsweredFirst() {
        Leases.Fixed first = grant(leases, 11);
        Leases.Fixed second = grant(leases, 12);
        leases.moved(ID, second, 6);
        assertThat(leases.number(NODE)).as("it is moving").isEmpty();
        leases.moved(ID, first, 5);
        assertThat(revoked).containsExactly(11L);
        assertThat(leases.number(NODE)).hasValue(12);
    }

    @Test
    void oneToWhichTheKeyDidNotMoveIsRevoked() {
        leases.dropMove(ID, grant(leases, 11));
        assertThat(revoked).containsExactly(11L);
        assertThat(leases.number(NODE)).hasValue(10);
    }

    @Test
    void oneWhoseMoveWasNotAnsweredIsKeptUntilTheClaimIsLeft() {
        Leases.Fixed lost = grant(leases, 11);
        leases.moved(ID, grant(leases, 12), 6);
        assertThat(revoked).isEmpty();
        assertThat(leases.number(NODE)).as("it is moving").isEmpty();
        assertThat(leases.until(NODE, 11)).contains(lost.until());
        assertThat(leases.isOver(ID)).isFalse();
        leases.forget(ID);
        assertThat(revoked).containsExactlyInAnyOrder(11L, 12L);
        assertThat(leases.isOver(ID)).isTrue();
    }

    /** After an outage etcd gives a lease its whole time anew, though by the client's clock it is over. */
    @Test
    void onlyEtcdTellsThatOneHasEnded() {
        grants.add(CompletableFuture.completedFuture(granted(11)));
        Leases.Fixed over = leases.grant(ID, 0).join();
        assertThat(leases.isOver(ID)).as("its key may have moved").isFalse();
        leases.moved(ID, over, 5);
        assertThat(leases.isOver(ID)).isFalse();
        leases.forget(ID);
        assertThat(leases.isOver(ID)).isTrue();
    }

    @Test
    void oneThatIsGrantedTooLateIsRevoked() {
        CompletableFuture<Object> late = new CompletableFuture<>();
        Leases impatient = entered(leases(Duration.ofMillis(1)));
        grants.add(late);
        CompletableFuture<Leases.Fixed> asked = impatient.grant(ID, HOUR);
        await().until(asked::isCompletedExceptionally);
        late.complete(granted(11));
        await().until(() -> revoked.equals(List.of(11L)));
        assertThat(impatient.number(NODE)).hasValue(10);
    }

    @Test
    void onlyEtcdKnowsOfAKeyWhoseClaimHasNotEntered() {
        Node other = new Node("y", ClaimId.of(1, 2), 1, 1, 64, 1, NODE.details());
        assertThat(leases.number(other)).isEmpty();
        Node nobodys = new Node("z", ClaimId.of(ClaimId.NOBODY, 1), 1, 1, 64, 1, NODE.details());
        assertThat(leases.number(nobodys)).hasValue(0);
    }

    /** All of a minute share one lease, and what is put there in the last second of it is to last as long. */
    @Test
    void tombstonesLastForTheirTimeFromTheLastOfThemOn() {
        grants.add(CompletableFuture.completedFuture(granted(13)));
        assertThat(leases.grave()).isCompletedWithValue(13L);
        assertThat(leases.grave()).isCompletedWithValue(13L);
        assertThat(asked).last().isEqualTo(2 * TimeUnit.MICROSECONDS.toSeconds(Resource.MEMORY));
    }

    /** A long-lived client would remember more and more claims. */
    @Test
    void aLeaseThatComesForAClaimThatWasLeftMeanwhileIsNotRemembered() {
        leases.forget(ID);
        CompletableFuture<Object> late = new CompletableFuture<>();
        grants.add(late);
        leases.entering(ID);
        Details longer =
                new Details(1, 0, false, false, HOUR, 0, 0, 0, NODE.details().owner());
        CompletableFuture<ClientLease> entering = leases.usable(ID, longer);
        leases.forget(ID);
        late.complete(granted(11));
        assertThat(entering).isCompletedWithValueMatching(lease -> lease.id() == 11);
        leases.entered(ID);
        assertThat(leases.number(NODE)).isEmpty();
        assertThat(leases.isOver(ID)).isTrue();
    }

    @Test
    void aMoveOfAClaimThatWasLeftMeanwhileIsNotRemembered() {
        CompletableFuture<Object> late = new CompletableFuture<>();
        Leases.Fixed made = grant(leases, 11);
        grants.add(late);
        CompletableFuture<Leases.Fixed> asked = leases.grant(ID, HOUR);
        leases.forget(ID);
        assertThat(revoked).containsExactly(11L);
        leases.moved(ID, made, 5);
        late.complete(granted(12));
        assertThat(asked).isCompletedWithValueMatching(lease -> lease.number() == 12);
        assertThat(leases.until(NODE, 11)).isEmpty();
        assertThat(leases.until(NODE, 12)).isEmpty();
        assertThat(leases.isOver(ID)).isTrue();
    }
}
