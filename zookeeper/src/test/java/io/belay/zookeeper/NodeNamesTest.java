package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.node.Capacity;
import io.belay.node.Node;
import io.belay.node.NodeQueue;
import io.belay.spi.ClaimId;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeNamesTest {
    private static final ClaimId ID = ClaimId.of(-2, 7);

    /** As ZooKeeper writes a counter. */
    private static String name(ClaimId id, int count) {
        return NodeNames.claim(id, 2, 5) + String.format("%010d", count);
    }

    @Test
    void aNameSaysWhoseItIs() {
        assertThat(NodeNames.parse(name(ID, 12)).orElseThrow())
                .isEqualTo(new NodeNames.Claim("fffffffffffffffe_7_2_5_0000000012", ID, 2, 5, 12));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, -5, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void everyCountIsRead(int count) {
        assertThat(NodeNames.parse(name(ID, count)).orElseThrow().count()).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "1_2_3_4_", "1_2_99999999999_4_5", "g_1_1_1_1", "capacity-3", "1_1_9999999999_1_1"})
    void otherNamesAreNone(String name) {
        assertThat(NodeNames.parse(name)).isEmpty();
    }

    @Test
    void aCapacityIsANameToo() {
        Capacity five = Capacity.parse("5-was-8-granted--3", 7).orElseThrow();
        assertThat(NodeNames.capacity(five)).isEqualTo("capacity-5-was-8-granted--3");
        assertThat(NodeNames.parseCapacity(NodeNames.capacity(five), 7)).contains(five);
        assertThat(NodeNames.parseCapacity("capacity-9999999999", 7)).isEmpty();
        assertThat(NodeNames.parseCapacity(name(ID, 1), 7)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {".", "..", "/", "a/b", "\u0001", "\u0000", "%2e", "\ud83d\ude00", "\uffff", "\ufeff", "zookeeper"
            })
    void everyNameIsAPathThatZooKeeperAllows(String resource) {
        String path = NodeNames.directory("/belay", resource);
        PathUtils.validatePath(path);
        assertThat(path.substring("/belay/".length())).doesNotContain("/").isNotEmpty();
        assertThat(NodeNames.resource(path.substring("/belay/".length()))).hasValue(resource);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {".layout", "a.b", "a b", "%", "%2", "%2E", "%zz", "%61", "%ff", "%c3%28", "\u00fc", "\u0161"})
    void whatBelayWouldCallOtherwiseIsNoNamesContainer(String container) {
        assertThat(NodeNames.resource(container)).isEmpty();
    }

    @Test
    void noTwoNamesShareAPath() {
        assertThat(NodeNames.directory("", "%2e")).isNotEqualTo(NodeNames.directory("", "."));
        assertThat(NodeNames.directory("", "a\u0001b")).isEqualTo("/a%01b");
    }

    private static Session.Family family(String... children) {
        return new Session.Family(List.of(children), new Stat());
    }

    @Test
    void theOrderOutlivesTheCounter() {
        NodeQueue line = Queues.of(
                "/x",
                family(
                        name(ClaimId.of(1, 3), Integer.MIN_VALUE),
                        name(ClaimId.of(1, 1), Integer.MAX_VALUE - 1),
                        "stranger",
                        "capacity-9-granted--2147483648",
                        name(ClaimId.of(1, 4), Integer.MIN_VALUE + 1),
                        name(ClaimId.of(1, 2), Integer.MAX_VALUE)));
        assertThat(line.set().size()).isEqualTo(9);
        assertThat(line.set().granted()).isEqualTo(line.nodes().get(2).order());
        assertThat(NodeNames.capacity(line.set())).isEqualTo("capacity-9-granted--2147483648");
        assertThat(line.nodes()).extracting(node -> node.id().number()).containsExactly(1L, 2L, 3L, 4L);
        assertThat(line.nodes()).extracting(Node::order).isSorted();
        assertThat(Queues.isLater(
                        line.nodes().get(2).order(), line.nodes().get(1).order()))
                .isTrue();
        assertThat(Queues.isLater(
                        line.nodes().get(1).order(), line.nodes().get(2).order()))
                .isFalse();
    }

    @Test
    void whatWasReadStandsWhereItsNameStoodAndWhatIsGoneDoesNot() {
        NodeQueue names = Queues.of(
                "/x", family(name(ClaimId.of(1, 1), 1), name(ClaimId.of(1, 2), 2), name(ClaimId.of(1, 3), 3)));
        Node first = names.nodes().get(0);
        Node second = names.nodes().get(1);
        Node third = names.nodes().get(2);
        Node read = second.with(7, second.details());
        assertThat(Queues.with(names, List.of(first, second), List.of(Optional.empty(), Optional.of(read)))
                        .nodes())
                .containsExactly(read, third);
    }

    @Test
    void whatWasMadeIsCountedAlsoWhenTheCounterHasWrapped() {
        for (int made : new int[] {0, 5, Integer.MAX_VALUE - 1, Integer.MAX_VALUE, Integer.MIN_VALUE + 3}) {
            Stat stat = new Stat();
            stat.setNumChildren(3);
            stat.setCversion(2 * (made + 2) - 3); // the node with that number, one after it, and those before
            assertThat(new Session.Family(List.of(), stat).madeSince(made)).isEqualTo(1);
        }
    }
}
