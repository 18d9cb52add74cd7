package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Fuzz;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the masters of a cluster say of their slots, put together. */
class ClusterViewTest {
    private static final String OTHERS = "cc33 10.0.0.3:7000@17000 slave aa11 0 1700000000 1 connected\n"
            + "dd44 10.0.0.4:7000@17000 master - 0 1700000000 9 connected\n";

    private static String line(String id, String flags, long pong, int epoch, String slots) {
        return id + " 10.0.0.1:7000@17000 " + flags + " - 0 " + pong + " " + epoch + " connected"
                + (slots.isEmpty() ? "" : " " + slots) + "\n";
    }

    private static String own(String id, int epoch, String slots) {
        return OTHERS + line(id, "myself,master", 0, epoch, slots);
    }

    private static ClusterView view(String... replies) {
        return ClusterView.of(List.of(replies), ClusterSlots.COUNT);
    }

    private static final String FIRST = own("aa11", 1, "0-8191");
    private static final String SECOND = own("bb22", 2, "8192-16383");

    @Test
    void itIsTheSameWhileNothingMoves() {
        String then = view(FIRST, SECOND).state();
        String later = FIRST.replace("1700000000", "1700000009") + line("bb22", "master", 5, 2, "8192-16383");
        assertThat(view(later, SECOND).isAsAt(then)).isTrue();
        assertThat(view(later, SECOND).complete()).isTrue();
    }

    @Test
    void itIsAnotherOnceASlotHasMovedEvenIfItHasComeBack() {
        String then = view(FIRST, SECOND).state();
        assertThat(view(own("aa11", 1, "1-8191"), own("bb22", 2, "0 8192-16383"))
                        .isAsAt(then))
                .isFalse();
        assertThat(view(own("aa11", 3, "0-8191"), SECOND).isAsAt(then)).isFalse();
        assertThat(view(FIRST, own("ee55", 2, "8192-16383")).isAsAt(then)).isFalse();
        assertThat(view(FIRST).isAsAt(then)).isFalse();
    }

    @Test
    void itIsNeverTheSameWhileASlotMovesOrAMasterIsNoneAnyMore() {
        for (String moving : List.of(own("aa11", 1, "0-8191 [7->-bb22]"), own("aa11", 1, "0-8191 [8192-<-bb22]"))) {
            ClusterView view = view(moving, SECOND);
            assertThat(view.isAsAt(view.state())).as(moving).isFalse();
            assertThat(view.complete()).isTrue();
        }
        for (String none : List.of(OTHERS + line("aa11", "myself,slave", 0, 1, ""), "")) {
            ClusterView view = view(none, SECOND);
            assertThat(view.isAsAt(view.state())).as(none).isFalse();
            assertThat(view.complete()).isFalse();
        }
    }

    /** A master that has no slot yet is not asked, but has keys of the slot that is on its way to it. */
    @Test
    void itIsNotCompleteWhileAFirstSlotMoves() {
        assertThat(view(own("aa11", 1, "0-8191 [7->-bb22] [8->-dd44]"), SECOND).complete())
                .isFalse();
    }

    /** Who was asked for the masters had not heard of the third one, to which a slot of the first has gone. */
    @Test
    void itIsNotCompleteWhileAMasterIsUnknownToOthers() {
        ClusterView view = view(own("aa11", 1, "0-99 101-8191"), SECOND);
        assertThat(view.complete()).isFalse();
        assertThat(ClusterView.of(List.of(own("aa11", 1, "0-99 101-8191"), SECOND), ClusterSlots.COUNT - 1)
                        .complete())
                .isTrue();
    }

    @Test
    void rubbishIsNoView() {
        Fuzz.rounds(2_000, random -> {
            ClusterView view = view(Fuzz.text(random, FIRST), SECOND);
            assertThat(view.isAsAt("")).isFalse();
        });
    }
}
