package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a claim makes of the nodes that are read, where not all of its id are its own. */
class NodeClaimTest {
    private static final long LEASE = 10_000_000;
    private static final ClaimId OWN = ClaimId.of(1, 1);
    private static final ClaimId OTHER = ClaimId.of(2, 1);

    private final NodeClaim claim = new NodeClaim(
            Request.Enter.of("x", OWN, ClaimSpec.of(4, 4, LEASE), 0, Owner.of("", "", 0, "")), (own, node) -> () -> {});

    private static Node node(ClaimId id, long order, long revision) {
        return new Node("x/" + order, id, 4, order, Node.sequence(revision), 1, Details.ofWeight(4));
    }

    private static NodeQueue line(Node... nodes) {
        return new NodeQueue(Capacity.NONE, List.of(nodes));
    }

    private static Position position(Node own, Node... nodes) {
        return new Position(line(nodes), own, System.nanoTime() + LEASE * 1000);
    }

    private final Node lost = node(OWN, 1, 1);
    private final Node other = node(OTHER, 2, 2);
    private final Node own = node(OWN, 3, 3);

    /** One of a session that is over ends at any time, and whoever stands behind it is granted then. */
    @Test
    void whoeverStandsBehindAnotherNodeOfItsIdDoesNotPassThoseBetween() {
        assertThat(claim.entered(position(own, lost, other, own))).isEqualTo(Next.NOTHING);
        assertThat(claim.looked(line(lost, other, own))).isEqualTo(Next.NOTHING);
        assertThat(claim.listed(line(lost, other, own))).contains(Next.NOTHING);
        assertThat(claim.looked(line(other, own))).isEqualTo(Next.NOTHING);
        assertThat(claim.isGranted()).isFalse();
        assertThat(claim.looked(line(own))).isEqualTo(Next.GRANTED);
    }

    @Test
    void anotherNodeOfItsIdIsNotTakenForItsOwn() {
        claim.entered(position(own, other, own));
        assertThat(claim.looked(line(lost))).isEqualTo(Next.NOTHING);
        assertThat(claim.listed(line(lost))).isEqualTo(Optional.empty());
        assertThat(claim.isGranted()).isFalse();
    }

    private long sequence() {
        return claim.answer(new LocalClock(), System.nanoTime()).sequence();
    }

    /** A service may count its nodes from the start again. */
    @Test
    void theLaterOfTwoNodesCountsAlsoIfItsOrderIsLess() {
        Node first = node(OWN, Integer.MAX_VALUE, 10);
        Node later = node(OWN, Integer.MIN_VALUE, 20);
        claim.entered(position(first, first));
        claim.entered(position(later, later));
        assertThat(sequence()).isEqualTo(later.sequence());
        claim.entered(position(first, first));
        assertThat(sequence()).as("after an answer that was overtaken").isEqualTo(later.sequence());
    }
}
