package io.belay.trials.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OrderTest {
    private static final int HISTORIES = 20_000;
    private static final int MOST_WAITS = 5;
    private static final int SPAN = 12;

    private final Order check = new Order(Duration.ofMillis(4));

    /** The first has its place at 5, the second asks at 10 and is served at 20, the first at 30. */
    private static Story overtaken() {
        return new Story()
                .then(5, "0.0", Type.QUEUED, 1)
                .grant(10, 20, "1.0", 1, 1, 8, 25)
                .grant(1, 30, "0.0", 1, 1, 7, 40);
    }

    @Test
    void whoAskedLaterIsServedFirst() {
        assertThat(overtaken().rules(check)).containsExactly(Rule.ORDER);
    }

    @Test
    void whoIsNeverServedIsOvertakenToo() {
        Story story = new Story().then(5, "0.0", Type.QUEUED, 1).grant(10, 20, "1.0", 1, 1, 8, 25);
        assertThat(story.rules(check)).containsExactly(Rule.ORDER);
    }

    @Test
    void ofTwoWhoAskAtATimeEitherMayBeFirst() {
        Story story = new Story()
                .then(11, "0.0", Type.QUEUED, 1)
                .grant(10, 20, "1.0", 1, 1, 8, 25)
                .grant(1, 30, "0.0", 1, 1, 7, 40);
        assertThat(story.rules(check)).isEmpty();
    }

    @Test
    void whoGaveUpDiedOrCouldNotReadItsGrantInTimeWasNotOvertaken() {
        assertThat(overtaken().then(26, "0.0", Type.UNKNOWN, 1).rules(check)).isEmpty();
        assertThat(new Story()
                        .then(5, "0.0", Type.QUEUED, 1)
                        .then(15, "0.0", Type.KILL, 0)
                        .grant(10, 20, "1.0", 1, 1, 8, 25)
                        .rules(check))
                .isEmpty();
        assertThat(new Story()
                        .then(5, "0.0", Type.QUEUED, 1)
                        .grant(10, 20, "1.0", 1, 1, 8, 25)
                        .grant(1, 30, "0.0", 1, 1, 7, 29)
                        .rules(check))
                .isEmpty();
    }

    @Test
    void whoStoodStillMayHaveLostItsPlace() {
        assertThat(overtaken().stall(12, 14, "0.0").rules(check)).isEmpty();
        assertThat(overtaken().stall(2, 4, "0.0").rules(check)).isEmpty();
        assertThat(overtaken().stall(31, 39, "0.0").rules(check)).containsExactly(Rule.ORDER);
        assertThat(overtaken().stall(12, 14, "1.0").rules(check)).containsExactly(Rule.ORDER);
    }

    @Test
    void soMayAllWhenTheStoreIsStruckAndALeaseLonger() {
        assertThat(overtaken()
                        .then(1, "-", Type.STRIKE, 0)
                        .then(2, "-", Type.CALM, 0)
                        .rules(check))
                .isEmpty();
        assertThat(overtaken().then(31, "-", Type.STRIKE, 0).rules(check)).containsExactly(Rule.ORDER);
        Story before = new Story()
                .then(1, "-", Type.STRIKE, 0)
                .then(2, "-", Type.STRIKE, 0)
                .then(3, "-", Type.CALM, 0)
                .then(4, "-", Type.CALM, 0)
                .then(16, "0.0", Type.QUEUED, 1)
                .grant(17, 20, "1.0", 1, 1, 8, 25)
                .grant(15, 30, "0.0", 1, 1, 7, 40);
        assertThat(before.rules(check)).containsExactly(Rule.ORDER);
    }

    /** One who asks in a random history, is listed, and is served, in milliseconds. */
    private record Wait(int asked, int queued, int granted) {}

    /** It says of short random histories what a search through all instants of entry says. */
    @Test
    void equalsTheSearchThroughAllEntries() {
        Random random = new Random(7);
        int legal = 0;
        for (int i = 0; i < HISTORIES; i++) {
            List<Wait> waits = random(random);
            Story story = new Story();
            for (int w = 0; w < waits.size(); w++) {
                Wait wait = waits.get(w);
                story.grant(wait.asked(), wait.granted(), w + ".0", 1, 1, 1, wait.granted() + 1)
                        .then(wait.queued(), w + ".0", Type.QUEUED, 1);
            }
            boolean expected = mayEnter(waits, 0, 0);
            assertThat(story.rules(check).isEmpty()).as("%s", waits).isEqualTo(expected);
            legal += expected ? 1 : 0;
        }
        // Both kinds came.
        assertThat(legal).isBetween(HISTORIES / 100, HISTORIES * 99 / 100);
    }

    /** In the order in which they are served. */
    private static List<Wait> random(Random random) {
        List<Wait> waits = new ArrayList<>();
        int granted = SPAN;
        for (int count = 2 + random.nextInt(MOST_WAITS - 1); count > 0; count--) {
            granted += 1 + random.nextInt(2);
            int asked = random.nextInt(SPAN);
            waits.add(new Wait(asked, asked + random.nextInt(SPAN - asked), granted));
        }
        waits.sort(Comparator.comparingInt(Wait::granted));
        return waits;
    }

    /** Whether each can have entered between its asking and its being listed, one after the other as they are served. */
    private static boolean mayEnter(List<Wait> waits, int next, int from) {
        if (next == waits.size()) {
            return true;
        }
        Wait wait = waits.get(next);
        for (int at = Math.max(from, wait.asked()); at <= wait.queued(); at++) {
            if (mayEnter(waits, next + 1, at)) {
                return true;
            }
        }
        return false;
    }
}
