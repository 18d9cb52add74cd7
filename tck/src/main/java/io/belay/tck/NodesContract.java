package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.node.Capacity;
import io.belay.node.Details;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.node.Nodes;
import io.belay.node.Position;
import io.belay.spi.ClaimId;
import io.belay.spi.Owner;
import io.belay.spi.Resource;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract under a {@link io.belay.node.NodeStore}: an enter sees all before it, and what has gone stays gone. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
abstract class NodesContract {
    private static final String NAME = "x";
    private static final Capacity THREE = size(3);

    private final AtomicLong numbers = new AtomicLong();
    private StoreSpec spec;
    private Nodes first;
    private Nodes second;

    /** Opens a store that this test has to itself. */
    abstract StoreSpec open() throws Exception;

    @BeforeEach
    void openNodes() throws Exception {
        spec = open();
        Nodes opened = spec.nodes().orElse(null);
        assumeTrue(opened != null, "the store is not made of nodes, or does not offer them");
        first = opened;
        second = spec.nodes().orElseThrow();
    }

    @AfterEach
    void closeNodes() {
        try (StoreSpec opened = spec;
                Nodes one = first;
                Nodes other = second) {
            // Each is closed, whatever became of the others.
        }
    }

    private ClaimId id(Nodes client) {
        return ClaimId.of(client == first ? 11 : 22, numbers.incrementAndGet());
    }

    private Details details(int localWaiters) {
        Duration lease = Duration.ofSeconds(30);
        Duration longest = spec.longestLease();
        long micros = (lease.compareTo(longest) < 0 ? lease : longest).toNanos() / 1_000;
        return new Details(
                Resource.WHOLE, 0, false, false, micros, 0, 1, localWaiters, Owner.of("client", "host", 1, "thread"));
    }

    private CompletionStage<Optional<Position>> entering(Nodes client, String name, ClaimId id) {
        return client.enter(name, id, Resource.WHOLE, details(0));
    }

    private Position enter(Nodes client) throws Exception {
        return soon(entering(client, NAME, id(client))).orElseThrow();
    }

    private <T> T soon(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(spec.patience().toSeconds(), TimeUnit.SECONDS);
    }

    private static List<ClaimId> ids(NodeQueue line) {
        return line.nodes().stream().map(Node::id).toList();
    }

    @Test
    void ofTwoThatEnterAtTheSameInstantOneIsFirstAndTheOtherSeesIt() throws Exception {
        long until = Race.endOfAll();
        for (int i = 0; i == 0 || System.nanoTime() - until < 0; i++) {
            String name = i % 2 == 0 ? NAME : NAME + i;
            ClaimId one = id(first);
            ClaimId other = id(second);
            CompletionStage<Optional<Position>> mine = entering(first, name, one);
            CompletionStage<Optional<Position>> others = entering(second, name, other);
            Position a = soon(mine).orElseThrow();
            Position b = soon(others).orElseThrow();
            assertThat(a.own().id()).isEqualTo(one);
            assertThat(b.own().id()).isEqualTo(other);
            assertThat(a.own().sequence()).isNotEqualTo(b.own().sequence());
            Position later = a.own().order() < b.own().order() ? b : a;
            List<ClaimId> order = later == b ? List.of(one, other) : List.of(other, one);
            assertThat(later.own().sequence())
                    .isEqualTo(Math.max(a.own().sequence(), b.own().sequence()));
            assertThat(ids(later.line())).as("whom the later one sees").isEqualTo(order);
            assertThat(ids((later == a ? b : a).line()).indexOf(order.get(0)))
                    .as("where the earlier one sees itself")
                    .isZero();
            CompletionStage<Boolean> leaving = first.leave(name, one, a.own(), false);
            assertThat(soon(second.leave(name, other, b.own(), false))).isTrue();
            assertThat(soon(leaving)).isTrue();
        }
    }

    @Test
    void anEnterThatIsUnderWayWhenItsClaimIsLeftComesToNothing() throws Exception {
        long until = Race.endOfAll();
        for (int i = 0; i == 0 || System.nanoTime() - until < 0; i++) {
            ClaimId id = id(first);
            CompletionStage<Optional<Position>> entering = entering(first, NAME, id);
            CompletionStage<Boolean> leaving = first.leave(NAME, id, null, true);
            soon(entering);
            soon(leaving);
            assertThat(ids(soon(second.list(NAME, true))))
                    .as("after both were answered")
                    .isEmpty();
        }
    }

    @Test
    void anEnterThatIsSentAgainFindsItsNode() throws Exception {
        ClaimId id = id(first);
        Node once = soon(entering(first, NAME, id)).orElseThrow().own();
        Node again = soon(entering(first, NAME, id)).orElseThrow().own();
        assertThat(again.sequence()).isEqualTo(once.sequence());
        assertThat(ids(soon(second.list(NAME, true)))).containsExactly(id);
    }

    @Test
    void anEndThatIsFixedIsWrittenInTheSameStepAndNotOverWhatWasNotRead() throws Exception {
        assumeTrue(first.leasePerClaim(), "the store has no lease of a claim's own");
        Node read = enter(first).own();
        long lease = details(0).lease();
        Node fixed = soon(first.fix(read, details(1), lease)).orElseThrow();
        assertThat(fixed.version()).isGreaterThan(read.version());
        assertThat(soon(second.read(List.of(read))).get(0)).hasValue(fixed);
        assertThat(soon(first.fix(read, details(2), lease / 2)))
                .as("fixed over a later version")
                .isEmpty();
        assertThat(soon(first.write(read, details(3))))
                .as("written over a later version")
                .isEmpty();
        Node again = soon(first.fix(fixed, details(4), lease / 2)).orElseThrow();
        Node written = soon(first.write(again, details(5))).orElseThrow();
        assertThat(soon(second.read(List.of(read))).get(0)).hasValue(written);
        assertThat(soon(first.leave(NAME, read.id(), written, false))).isTrue();
        assertThat(soon(first.fix(written, details(6), lease)))
                .as("one that has gone")
                .isEmpty();
        assertThat(ids(soon(second.list(NAME, true)))).isEmpty();
    }

    @Test
    void detailsThatHaveChangedSinceTheyWereReadAreNotWrittenOver() throws Exception {
        Node read = enter(first).own();
        Node written = soon(first.write(read, details(3))).orElseThrow();
        assertThat(soon(first.write(read, details(4))))
                .as("written over a later version")
                .isEmpty();
        // A member that the other session has not reached yet is behind until it is asked for what is new.
        assertThat(ids(soon(second.list(NAME, true)))).containsExactly(read.id());
        Node now = soon(second.read(List.of(read))).get(0).orElseThrow();
        assertThat(now.details().localWaiters()).isEqualTo(3);
        assertThat(now.version()).isEqualTo(written.version());
        assertThat(soon(first.write(written, details(5)))).isPresent();
    }

    @Test
    void whatIsGoneIsNeitherReadNorRenewedNorWritten() throws Exception {
        Node gone = enter(first).own();
        Node stays = enter(first).own();
        assertThat(soon(second.remove(NAME, List.of(gone)))).isTrue();
        assertThat(soon(second.remove(NAME, List.of(gone)))).isFalse();
        List<Optional<Node>> read = soon(first.read(List.of(gone, stays)));
        assertThat(read.get(0)).isEmpty();
        assertThat(read.get(1)).map(Node::id).hasValue(stays.id());
        assertThat(soon(first.renew(List.of(gone), true).get(0))).isEmpty();
        assertThat(soon(first.renew(List.of(stays), true).get(0))).isPresent();
        assertThat(soon(first.write(gone, details(1)))).isEmpty();
        assertThat(soon(first.requeue(NAME, gone, details(0), false))).isEmpty();
        assertThat(ids(soon(second.list(NAME, true)))).containsExactly(stays.id());
    }

    @Test
    void whoIsWatchedIsToldOfAlsoIfItHasGoneBefore() throws Exception {
        Node goes = enter(first).own();
        Position behind = enter(second);
        assertThat(ids(behind.line())).containsExactly(goes.id(), behind.own().id());
        Node seen = behind.line().nodes().get(0);
        CompletableFuture<Optional<Node>> early = watched(seen);
        assertThat(soon(first.leave(NAME, goes.id(), goes, false))).isTrue();
        assertThat(soon(early)).isEmpty();
        assertThat(soon(watched(seen))).isEmpty();
    }

    private CompletableFuture<Optional<Node>> watched(Node node) {
        CompletableFuture<Optional<Node>> told = new CompletableFuture<>();
        second.watch(node, List.of(node), told::complete);
        return told;
    }

    private Set<String> names(String prefix) throws Exception {
        Set<String> names = new HashSet<>();
        Optional<String> cursor = Optional.of("");
        while (cursor.isPresent()) {
            Store.NamePage page = soon(second.names(prefix, cursor.get()));
            names.addAll(page.names());
            cursor = page.next();
        }
        return names;
    }

    @Test
    void namesAreThoseOfNodesAndOfCapacities() throws Exception {
        for (int i = 0; i < 20; i++) { // many in one make no more than one name
            soon(entering(first, "a/b", id(first)));
        }
        soon(entering(first, "a", id(first)));
        soon(entering(first, "a-b", id(first)));
        resize("a/c");
        resize("b/0000000000000007-0000000000000007-1-0");
        assertThat(names(""))
                .containsExactlyInAnyOrder("a", "a-b", "a/b", "a/c", "b/0000000000000007-0000000000000007-1-0");
        assertThat(names("a/")).containsExactlyInAnyOrder("a/b", "a/c");
        assertThat(names("a/b")).containsExactly("a/b");
        assertThat(names("b")).hasSize(1);
        assertThat(names("c")).isEmpty();
    }

    private void resize(String name) throws Exception {
        assertThat(soon(first.resize(name, capacity(name), THREE))).isTrue();
    }

    private Capacity capacity(String name) throws Exception {
        return soon(second.list(name, false)).set();
    }

    @Test
    void aCapacityIsWhatItWasSetTo() throws Exception {
        long order = enter(first).own().order();
        resize(NAME);
        assertThat(soon(first.list(NAME, true)).set().size()).isEqualTo(3);
        Capacity smaller = new Capacity(1, 3, order, 0);
        assertThat(soon(first.resize(NAME, capacity(NAME), smaller))).isTrue();
        assertThat(capacity(NAME).text()).isEqualTo(smaller.text());
        assertThat(soon(second.resize(NAME, capacity(NAME), Capacity.NONE))).isTrue();
        assertThat(capacity(NAME).size()).isZero();
        assertThat(soon(first.list(NAME, true)).nodes()).hasSize(1);
    }

    @Test
    void aCapacityIsSetByOneOfThoseWhoReadIt() throws Exception {
        Capacity unset = capacity(NAME);
        resize(NAME);
        assertThat(soon(second.resize(NAME, unset, THREE))).isFalse();
        Capacity read = capacity(NAME);
        long until = Race.endOfAll();
        for (int i = 4; i == 4 || System.nanoTime() - until < 0; i++) {
            CompletionStage<Boolean> mine = first.resize(NAME, read, size(i));
            CompletionStage<Boolean> others = second.resize(NAME, read, size(1_000_000 + i));
            assertThat(List.of(soon(mine), soon(others))).containsExactlyInAnyOrder(true, false);
            read = capacity(NAME);
            assertThat(read.size()).isEqualTo(soon(mine) ? i : 1_000_000 + i);
        }
    }

    private static Capacity size(int permits) {
        return Capacity.parse(String.valueOf(permits), 0).orElseThrow();
    }

    /** Nothing would end a second one, and it would be granted later. */
    @Test
    void ofTwoOfNobodyOneIsThere() throws Exception {
        for (int i = 0; i < 10; i++) {
            ClaimId one = ClaimId.of(ClaimId.NOBODY, numbers.incrementAndGet());
            ClaimId other = ClaimId.of(ClaimId.NOBODY, numbers.incrementAndGet());
            CompletionStage<Optional<Position>> mine = entering(first, NAME, one);
            CompletionStage<Optional<Position>> others = entering(second, NAME, other);
            ClaimId made = soon(mine).isPresent() ? one : other;
            assertThat(List.of(soon(mine).isPresent(), soon(others).isPresent()))
                    .containsExactlyInAnyOrder(true, false);
            assertThat(ids(soon(first.list(NAME, true)))).containsExactly(made);
            assertThat(soon(second.leave(NAME, made.equals(one) ? other : one, null, false)))
                    .isFalse();
            assertThat(ids(soon(first.list(NAME, true)))).containsExactly(made);
            assertThat(soon(first.leave(NAME, made, null, true))).isTrue();
            assertThat(soon(first.list(NAME, true)).nodes()).isEmpty();
        }
    }

    @Test
    void whoQueuesAgainStandsBehindAllOthers() throws Exception {
        Node own = enter(first).own();
        Node other = enter(second).own();
        Position moved = soon(first.requeue(NAME, own, details(0), false)).orElseThrow();
        assertThat(moved.own().id()).isEqualTo(own.id());
        assertThat(moved.own().sequence()).isGreaterThan(other.sequence());
        assertThat(ids(moved.line())).containsExactly(other.id(), own.id());
    }
}
