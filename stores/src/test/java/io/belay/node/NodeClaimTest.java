package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.support.Moment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a claim makes of the nodes that are read, where not all of its id are its own. */
class NodeClaimTest {
    private static final long LEASE = 10_000_000;
    private static final ClaimId OWN = ClaimId.of(1, 1);
    private static final ClaimId OTHER = ClaimId.of(2, 1);

    private final SharedNodes shared = new SharedNodes();
    private final NodeClaim claim = claim(OWN, 4);

    private NodeClaim claim(ClaimId id, int weight) {
        Request.Enter enter = Request.Enter.of("x", id, ClaimSpec.of(4, weight, LEASE), 0, Owner.of("", "", 0, ""));
        return new NodeClaim(enter, (own, node) -> () -> {}, shared);
    }

    private static Node node(ClaimId id, long order, long revision) {
        return node(id, order, revision, 4);
    }

    private static Node node(ClaimId id, long order, long revision, int weight) {
        return new Node("x/" + order, id, 4, order, Node.sequence(revision), 1, Details.ofWeight(weight));
    }

    private static NodeQueue line(Node... nodes) {
        return new NodeQueue(Capacity.NONE, List.of(nodes));
    }

    private static Position position(Node own, Node... nodes) {
        return position(own, line(nodes));
    }

    private static Position position(Node own, NodeQueue line) {
        return new Position(line, own, Deadline.of(Moment.now(), LEASE * 1000));
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

    /** Each reads all before it; thousands that had a copy of their own would fill the memory. */
    @Test
    void thoseThatWaitForOneResourceRememberEachNodeOnce() {
        int size = 50;
        Set<Node> remembered = Collections.newSetFromMap(new IdentityHashMap<>());
        List<NodeClaim> waiting = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            List<Node> read = new ArrayList<>();
            for (int at = 0; at <= i; at++) {
                read.add(node(ClaimId.of(1, at), at, at + 1));
            }
            NodeClaim next = claim(ClaimId.of(1, i), 4);
            next.entered(position(read.get(i), new NodeQueue(Capacity.NONE, read)));
            assertThat(next.ahead()).hasSize(i);
            waiting.add(next);
        }
        waiting.forEach(each -> remembered.addAll(each.ahead()));
        assertThat(remembered).hasSize(size - 1);
    }

    @Test
    void whoIsGrantedRemembersNobodyBeforeIt() {
        NodeClaim permit = claim(OWN, 1);
        Node before = node(OTHER, 1, 1, 2);
        Node mine = node(OWN, 2, 2, 1);
        assertThat(permit.entered(position(mine, before, mine))).isEqualTo(Next.GRANTED);
        assertThat(permit.ahead()).isEmpty();
        assertThat(permit.looked(line(before, mine))).isEqualTo(Next.NOTHING);
        assertThat(permit.ahead()).as("after another look").isEmpty();
        assertThat(permit.listed(line(before, mine))).contains(Next.NOTHING);
        assertThat(permit.ahead()).as("after the names were listed").isEmpty();
    }

    /** An enter that is sent again finds what the one from before the suspension was answered. */
    @Test
    void whatIsAskedForAfterASuspensionIsOverWhereTheNodeIs() {
        Moment now = Moment.now();
        Moment before = new Moment(now.nanos(), now.wallOffset() - LEASE / 1000 - 1_000);
        claim.entered(new Position(line(own), own, Deadline.of(before, LEASE * 1000)));
        Answer answer = claim.answer(new LocalClock(), Moment.now());
        assertThat(answer.deadline()).isLessThan(answer.time());
        claim.renewed(Deadline.of(now, LEASE * 1000));
        answer = claim.answer(new LocalClock(), now);
        assertThat(answer.deadline()).isGreaterThan(answer.time());
    }

    private long sequence() {
        return claim.answer(new LocalClock(), Moment.now()).sequence();
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

    /** Else nobody would watch the claim's node any more. */
    @Test
    void aWatchThatTellsBeforeItsBeginningIsOverDoesNotEndTheNext() {
        Set<String> watched = new HashSet<>();
        claim.keep("own", () -> {
            claim.keep("own", () -> watch("second", watched)); // by what it tells, in another thread
            return watch("first", watched);
        });
        assertThat(watched).containsExactly("second");
        claim.finish();
        assertThat(watched).isEmpty();
    }

    @Test
    void aWatchThatBeginsAsTheClaimEndsDoesNotGoOn() {
        Set<String> watched = new HashSet<>();
        claim.keep("own", () -> {
            claim.finish();
            return watch("first", watched);
        });
        assertThat(watched).isEmpty();
    }

    private static Nodes.Watch watch(String name, Set<String> watched) {
        watched.add(name);
        return () -> watched.remove(name);
    }
}
