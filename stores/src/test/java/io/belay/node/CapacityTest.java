package io.belay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.ClaimId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The capacity that was set, as it is written, and what it says of the nodes. */
class CapacityTest {
    private static Capacity capacity(String text) {
        return Capacity.parse(text, 1).orElseThrow();
    }

    /** Nodes of these weights, in the orders 1, 2 and so on, made while the capacity was 5. */
    private static NodeQueue line(Capacity set, int... weights) {
        List<Node> nodes = new ArrayList<>();
        for (int weight : weights) {
            int order = nodes.size() + 1;
            nodes.add(new Node("x/" + order, ClaimId.of(1, order), 5, order, order, 1, Details.ofWeight(weight)));
        }
        return new NodeQueue(set, nodes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "3-was-5", "3-was-0", "3-granted-41", "3-was-5-granted--7", "2147483647"})
    void itIsReadAsItWasWritten(String text) {
        assertThat(capacity(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "2147483648", "x", "3-", "3-was-", "3-granted-", "3-granted-1-was-5", "3 "})
    void nothingElseIsRead(String text) {
        assertThat(Capacity.parse(text, 1)).isEmpty();
    }

    /** Nobody is before it when the last one leaves, and it is to be told that it wants more than there is. */
    @Test
    void whoWantsMoreThanThereIsWaitsForNobodyOnceItIsAlone() {
        Node own = new Node("x/1", ClaimId.of(1, 1), 5, 1, 1, 1, Details.ofWeight(3));
        assertThat(Blockers.of(List.of(), own, capacity("2"))).isEmpty();
    }

    @Test
    void whoWasGrantedByTheFormerSizeStaysGranted() {
        Capacity five = capacity("5");
        assertThat(line(five, 2, 3, 1).granted()).isEqualTo(2);
        Capacity changing = five.resized(3);
        assertThat(changing.text()).isEqualTo("3-was-5");
        NodeQueue line = line(changing, 2, 3, 1);
        assertThat(line.granted()).isEqualTo(2);
        Capacity steady = line.settled();
        assertThat(steady.text()).isEqualTo("3-granted-2");
        assertThat(line(steady, 2, 3, 1).granted()).isEqualTo(2);
        assertThat(line(steady, 2, 3, 1).settled()).isEqualTo(steady);
        assertThat(line(steady, 1, 1, 1, 1).granted())
                .as("of what fits as well")
                .isEqualTo(3);
        assertThat(line(steady, 1, 1, 1, 1).settled().text())
                .as("nobody is in excess")
                .isEqualTo("3");
    }

    @Test
    void withoutAFormerSizeTheNodesSayIt() {
        Capacity changing = Capacity.NONE.resized(2);
        assertThat(changing.text()).isEqualTo("2-was-0");
        assertThat(line(changing, 2, 3, 1).granted()).isEqualTo(2);
        assertThat(line(changing, 2, 3, 1).settled().text()).isEqualTo("2-granted-2");
        assertThat(line(changing).settled().text()).isEqualTo("2");
    }

    @Test
    void aLargerSizeCountsAtOnceAndForgetsNobody() {
        Capacity larger = capacity("2-granted-2").resized(4);
        assertThat(larger.text()).isEqualTo("4-granted-2");
        assertThat(line(larger, 2, 3, 1).granted()).isEqualTo(2);
        assertThat(line(larger, 2, 1, 1).settled().text()).isEqualTo("4");
        assertThat(capacity("3").resized(3)).isEqualTo(capacity("3"));
        assertThat(capacity("3").resized(0)).isEqualTo(Capacity.NONE);
    }

    @Test
    void madeSmallerAgainItKeepsThoseWhoAreGrantedByThen() {
        Capacity again = capacity("3-granted-2").resized(1);
        assertThat(again.text()).isEqualTo("1-was-3-granted-2");
        assertThat(line(again, 2, 3, 1).settled().text()).isEqualTo("1-granted-2");
        assertThat(line(again, 1, 1, 1).settled().text())
                .as("the third was granted since")
                .isEqualTo("1-granted-3");
    }

    @Test
    void aClaimThatIsHeavierThanAllWaitsInVainUnlessItIsGranted() {
        NodeQueue line = line(capacity("2-granted-1"), 3, 3);
        assertThat(line.set().shutsOut(line.nodes().get(0))).isFalse();
        assertThat(line.set().shutsOut(line.nodes().get(1))).isTrue();
        assertThat(Capacity.NONE.shutsOut(line.nodes().get(1))).isFalse();
    }
}
