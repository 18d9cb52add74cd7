package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which master has which slot. */
class ClusterSlotsTest {
    private static final Address ONE = new Address("one", 7_000);
    private static final Address OTHER = new Address("other", 7_000);

    /** One that is on its way to another master answers nothing, and would keep everybody from connecting. */
    @Test
    void aSlotOfAMasterIsNotAlwaysTheSame() {
        ClusterSlots slots = ClusterSlots.none().with(5, ONE).with(6, OTHER).with(9_000, ONE);
        Set<Integer> found = new TreeSet<>();
        for (int i = 0; i < 1_000; i++) {
            found.add(slots.anyOf(ONE));
        }
        assertThat(found).containsExactly(5, 9_000);
    }

    private static List<Object> range(long first, long last, String host, long port) {
        return List.of(first, last, List.of(host.getBytes(StandardCharsets.US_ASCII), port, new byte[40]));
    }

    /**
     * So is one told of whose last address another node has now, as after pods were started anew; and one that has announced no
     * host's name yet, to a node that is to tell names.
     */
    @ParameterizedTest
    @CsvSource({"'', 0", "?, 7000"})
    void aMasterWithoutAnAddressLeavesTheOthersTheirSlots(String host, long port) {
        ClusterSlots slots = ClusterSlots.of(
                List.of(
                        range(0, 5_460, "one", 7_000),
                        range(5_461, 10_922, host, port),
                        range(10_923, 16_383, "other", 7_000)),
                ONE);
        assertThat(slots.isWhole()).isFalse();
        assertThat(slots.masters()).containsExactly(ONE, OTHER);
        assertThat(slots.missing()).isEqualTo(5_462);
        assertThat(slots.assigned()).as("what a listing is to cover").isEqualTo(ClusterSlots.COUNT);
        assertThat(slots.owner(5_461)).isNull();
        assertThat(slots.owner(10_923)).isEqualTo(OTHER);
    }

    @Test
    void whatOneDoesNotKnowOfAMasterAnotherOneTells() {
        ClusterSlots some = ClusterSlots.of(List.of(range(0, 5_460, "one", 7_000), range(5_461, 10_922, "", 0)), ONE);
        ClusterSlots all = some.completedBy(ClusterSlots.of(List.of(range(5_000, 16_383, "other", 7_000)), OTHER));
        assertThat(List.of(some.isWhole(), all.isWhole())).containsExactly(false, true);
        assertThat(all.owner(5_000)).as("which it knows").isEqualTo(ONE);
        assertThat(all.owner(5_461)).isEqualTo(OTHER);
        assertThat(all.owner(10_923)).as("which nobody has").isNull();
        assertThat(all.assigned()).isEqualTo(10_923);
        assertThat(some.with(5_461, OTHER).assigned()).isEqualTo(10_923);
    }

    @Test
    void aRedirectToWhereTheNodeDoesNotKnowLeadsNowhere() {
        assertThat(Redirect.of("MOVED 866 ?:6379", ONE)).isNull();
        assertThat(Redirect.of("ASK 866 ?:6379", ONE)).isNull();
        assertThat(Redirect.of("MOVED 866 :7000", ONE)).extracting(Redirect::to).isEqualTo(ONE);
    }

    @Test
    void aMasterWithoutASlotHasNone() {
        assertThat(ClusterSlots.none().with(6, OTHER).anyOf(ONE)).isEqualTo(-1);
    }
}
