package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

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

    @Test
    void aMasterWithoutASlotHasNone() {
        assertThat(ClusterSlots.none().with(6, OTHER).anyOf(ONE)).isEqualTo(-1);
    }
}
