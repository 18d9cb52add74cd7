package io.belay.trials.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.history.History;
import io.belay.trials.history.Hold;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The quick checks say of short random histories what a search through all orders says. */
class ModelSearchTest {
    private static final int HISTORIES = 20_000;
    private static final int HOLDS = 4;
    private static final int SPAN = 12;

    @Test
    void aMutex() {
        compare(1, false);
    }

    @Test
    void aFencedMutex() {
        compare(1, true);
    }

    @Test
    void permits() {
        compare(3, false);
    }

    @Test
    void readersAndWriters() {
        compare(2, true);
    }

    private static void compare(int capacity, boolean fenced) {
        Random random = new Random(7);
        int legal = 0;
        for (int i = 0; i < HISTORIES; i++) {
            History history = random(random, capacity);
            List<Hold> holds = history.holds().get("x");
            boolean expected = new ModelSearch(holds, fenced).isLegal();
            boolean found = new Exclusion().of(history).isEmpty()
                    && (!fenced || new Tokens().of(history).isEmpty());
            assertThat(found).as("%s", holds).isEqualTo(expected);
            legal += expected ? 1 : 0;
        }
        // Both kinds came.
        assertThat(legal).isBetween(HISTORIES / 100, HISTORIES * 99 / 100);
    }

    private static History random(Random random, int capacity) {
        Story story = new Story().lock("x", capacity);
        int holds = 2 + random.nextInt(HOLDS - 1);
        for (int i = 1; i <= holds; i++) {
            int granted = 1 + random.nextInt(SPAN * 2);
            int asked = granted - 1 - random.nextInt(3);
            int until = granted + random.nextInt(SPAN) - 1;
            // Mostly rising with time, as tokens do.
            int token = random.nextInt(4) == 0 ? random.nextInt(SPAN) : granted;
            int weight = 1 + random.nextInt(capacity);
            story.grant(asked, granted, i + ".0", i, weight, token, until);
        }
        return story.history();
    }
}
