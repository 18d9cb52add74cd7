package io.belay.trials.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event.Type;
import org.junit.jupiter.api.Test;

class ExclusionTest {
    private final Exclusion check = new Exclusion();

    @Test
    void oneAfterTheOther() {
        Story story = new Story()
                .grant(10, "0.0", 1, 1, 1000)
                .then(20, "0.0", Type.RELEASE, 1)
                .grant(20, "1.0", 1, 2, 1000);
        assertThat(story.rules(check)).isEmpty();
    }

    @Test
    void twoAtATime() {
        Story story = new Story()
                .grant(10, "0.0", 1, 1, 1000)
                .then(21, "0.0", Type.RELEASE, 1)
                .grant(20, "1.0", 1, 2, 1000);
        assertThat(story.rules(check)).containsExactly(Rule.EXCLUSION);
    }

    @Test
    void ofTwoNames() {
        Story story = new Story().grant(10, "0.0", 1, 1, 1000).lock("y", 1).grant(20, "1.0", 1, 2, 1000);
        assertThat(story.rules(check)).isEmpty();
    }

    @Test
    void afterTheDeadline() {
        Story story = new Story().grant(10, "0.0", 1, 1, 100).grant(100, "1.0", 1, 2, 1000);
        assertThat(story.rules(check)).isEmpty();
    }

    @Test
    void afterADeadlineThatWasMoved() {
        Story story =
                new Story().grant(10, "0.0", 1, 1, 100).held(90, "0.0", 1, 190).grant(100, "1.0", 1, 2, 1000);
        assertThat(story.rules(check)).containsExactly(Rule.EXCLUSION);
    }

    @Test
    void afterAnEndThatWasMovedToBeEarlier() {
        Story story = new Story()
                .grant(10, "0.0", 1, 1, 1000)
                .moved(50, "0.0", 1, 200)
                .grant(200, "1.0", 1, 2, 2000);
        assertThat(story.rules(check)).isEmpty();
        story = new Story()
                .grant(10, "0.0", 1, 1, 1000)
                .moved(50, "0.0", 1, 200)
                .grant(199, "1.0", 1, 2, 2000);
        assertThat(story.rules(check)).containsExactly(Rule.EXCLUSION);
    }

    @Test
    void afterAnEndThatWasMovedToBeLater() {
        Story story =
                new Story().grant(10, "0.0", 1, 1, 100).moved(50, "0.0", 1, 200).grant(199, "1.0", 1, 2, 2000);
        assertThat(story.rules(check)).containsExactly(Rule.EXCLUSION);
    }

    @Test
    void whatIsSaidAfterAnEndWasMovedCounts() {
        Story story = new Story()
                .grant(10, "0.0", 1, 1, 1000)
                .moved(50, "0.0", 1, 200)
                .held(150, "0.0", 1, 1000)
                .grant(300, "1.0", 1, 2, 2000);
        assertThat(story.rules(check)).containsExactly(Rule.EXCLUSION);
    }

    @Test
    void afterALossThatWasTold() {
        Story story = new Story()
                .grant(10, "0.0", 1, 1, 1000)
                .then(50, "0.0", Type.LOST, 1)
                .grant(51, "1.0", 1, 2, 1000);
        assertThat(story.rules(check)).isEmpty();
    }

    @Test
    void afterTheHolderSawThatItDoesNotHold() {
        Story story = new Story()
                .grant(10, "0.0", 1, -1, Long.MAX_VALUE / 1_000_000)
                .then(50, "0.0", Type.NOT_HELD, 1)
                .grant(51, "1.0", 1, -1, 1000);
        assertThat(story.rules(check)).isEmpty();
    }

    /** As one that is unsure may be, whose claim has stood all the while. */
    @Test
    void whatIsHeldAgainWasHeldAllTheWhile() {
        Story story = new Story()
                .grant(10, "0.0", 1, 1, 1000)
                .then(50, "0.0", Type.NOT_HELD, 1)
                .grant(60, "1.0", 1, 2, 1000);
        assertThat(story.rules(check)).isEmpty();
        assertThat(story.held(70, "0.0", 1, 1000).rules(check)).containsExactly(Rule.EXCLUSION);
    }

    @Test
    void afterTheHoldersDeath() {
        Story story = new Story()
                .grant(10, "0.0", 1, 1, 1000)
                .then(50, "0.0", Type.KILL, 0)
                .grant(51, "1.0", 1, 2, 1000);
        assertThat(story.rules(check)).isEmpty();
    }

    @Test
    void aGrantThatWasReadTooLate() {
        Story story = new Story().grant(10, "0.0", 1, 1, 1000).grant(20, "1.0", 1, 0, 15);
        assertThat(story.rules(check)).isEmpty();
    }

    @Test
    void asManyAsThereIsRoomFor() {
        Story story =
                new Story().lock("p", 3).grant(9, 10, "0.0", 1, 2, 1, 1000).grant(11, 12, "1.0", 1, 1, 2, 1000);
        assertThat(story.rules(check)).isEmpty();
        story.grant(13, 14, "2.0", 1, 1, 3, 1000);
        assertThat(story.rules(check)).containsExactly(Rule.EXCLUSION);
    }
}
