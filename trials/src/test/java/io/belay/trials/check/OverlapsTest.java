package io.belay.trials.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event.Type;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limit is a third of a lease and half a second: 500 ms here, with a lease that is next to nothing. */
class OverlapsTest {
    private static final long LIMIT = 501;

    private final Overlaps check = new Overlaps(Duration.ofMillis(3));
    private final Overlaps prolonged = new Overlaps(Duration.ofMillis(300));

    /** A hold from 10 on that is released, and one beside it from 100 on. */
    private static Story beside(long released) {
        return new Story()
                .grant(10, "0.0", 1, 5, 90)
                .held(20, "0.0", 1, 103)
                .grant(100, "1.0", 1, 6, 150)
                .then(released, "0.0", Type.RELEASE, 1);
    }

    @Test
    void oneAfterTheOtherIsNone() {
        assertThat(beside(99).rules(check)).isEmpty();
        assertThat(Overlaps.count(beside(99).history())).isZero();
        assertThat(Overlaps.count(beside(101).history())).isEqualTo(1);
        assertThat(beside(101).rules(check)).isEmpty();
    }

    @Test
    void aHoldThatGoesOnBeyondTheNextAnswer() {
        Overlaps slow = new Overlaps(Duration.ofSeconds(3));
        Story story = new Story().grant(10, "0.0", 1, 5, 3000).grant(100, "1.0", 1, 6, 3000);
        assertThat(story.then(1600, "0.0", Type.RELEASE, 1).rules(slow)).isEmpty();
        story = new Story().grant(10, "0.0", 1, 5, 3000).grant(100, "1.0", 1, 6, 3000);
        assertThat(story.then(1601, "0.0", Type.RELEASE, 1).rules(slow)).containsExactly(Rule.EXCLUSION);
        assertThat(story.stall(200, 300, "2.0").rules(slow)).isEmpty();
    }

    @Test
    void anAnswerThatProlongsItBesideTheNext() {
        assertThat(beside(101).held(101, "0.0", 1, 400).rules(prolonged)).isEmpty();
        assertThat(beside(101).held(101, "0.0", 1, 401).rules(prolonged)).containsExactly(Rule.EXCLUSION);
    }

    @Test
    void aTokenThatComesTooLate() {
        Story story = new Story().grant(10, "1.0", 1, 6, 20);
        story.grant(10 + LIMIT, "0.0", 1, 5, 5000).then(12 + LIMIT, "0.0", Type.RELEASE, 1);
        assertThat(story.rules(new Overlaps(Duration.ofMillis(3)))).containsExactly(Rule.EXCLUSION);
        story.grant(11 + LIMIT, "2.0", 1, 4, 5000).then(12 + LIMIT, "2.0", Type.RELEASE, 1);
        assertThat(story.rules(new Overlaps(Duration.ofMillis(3)))).containsExactly(Rule.EXCLUSION, Rule.TOKENS);
    }

    @Test
    void aTokenThatTwoHave() {
        Story story = new Story().grant(10, "1.0", 1, 6, 12).grant(11, "0.0", 1, 6, 13);
        assertThat(story.rules(check)).containsExactly(Rule.TOKENS);
    }

    @Test
    void aTokenThatTwoHaveAfterEachOther() {
        Story story = new Story().grant(10, "1.0", 1, 6, 12).grant(5000, "2.0", 1, 7, 5002);
        assertThat(story.rules(check)).isEmpty();
        story.grant(9000, "0.0", 1, 6, 9002);
        assertThat(story.rules(check)).contains(Rule.TOKENS);
        assertThat(check.of(story.history())).anyMatch(one -> one.text().contains("has the token of process 1.0"));
        // Two that have none have not the same.
        story = new Story().grant(10, "1.0", 1, -1, 12).grant(5000, "0.0", 1, -1, 5002);
        assertThat(story.rules(check)).isEmpty();
        // A writer that goes on as a reader.
        story = new Story().lock("rw", 4).grant(9, 10, "0.0", 1, 4, 5, 20).grant(29, 30, "0.0", 2, 1, 5, 40);
        assertThat(story.rules(check)).isEmpty();
    }

    @Test
    void aTokenThatTwoHaveThoughAThirdOneCameFirst() {
        Story story = new Story()
                .grant(10, "1.0", 1, 6, 90)
                .grant(20, "2.0", 1, 7, 30)
                .grant(50, "0.0", 1, 6, 60);
        assertThat(story.rules(check)).contains(Rule.TOKENS);
    }

    @Test
    void readersBesideEachOtherAreNone() {
        Story story =
                new Story().lock("rw", 4).grant(9, 10, "0.0", 1, 1, 5, 1000).grant(11, 12, "1.0", 1, 1, 6, 1000);
        assertThat(Overlaps.count(story.history())).isZero();
        story.grant(13, 14, "2.0", 1, 4, 7, 1000);
        assertThat(Overlaps.count(story.history())).isEqualTo(2);
    }

    @Test
    void aLossThatIsNotTold() {
        Story untold = beside(5000).grant(4000, "0.0", 2, 9, 4010);
        assertThat(untold.rules(check)).containsExactly(Rule.LOSS_UNTOLD);
        assertThat(untold.then(104, "0.0", Type.LOST, 1).rules(check)).isEmpty();
        // Killed, it could not tell.
        assertThat(beside(5000)
                        .grant(4000, "0.0", 2, 9, 4010)
                        .then(4500, "0.0", Type.KILL, 0)
                        .rules(check))
                .isEmpty();
    }

    private static final Promises KEEPS = new Promises(Duration.ofSeconds(1), null, null, List.of());
    private static final Promises FORGETS = new Promises(
            Duration.ofSeconds(1),
            new Forgetting(List.of("pause-", "clock-"), Duration.ofMillis(2_000)),
            null,
            List.of());

    private static List<Rule> rules(Story story, Promises promises) {
        return Checks.all(story.history(), promises).stream()
                .map(Violation::rule)
                .toList();
    }

    @Test
    void whatAStoreThatForgetsIsJudgedBy() {
        assertThat(rules(beside(101).strike(1, "pause-leader"), KEEPS)).containsExactly(Rule.EXCLUSION);
        assertThat(rules(beside(101).strike(1, "pause-leader"), FORGETS)).isEmpty();
    }

    /** Two who hold beside each other from 6 s on. */
    private static Story later() {
        return new Story()
                .grant(5_900, "0.0", 1, 5, 6_900)
                .grant(6_000, "1.0", 1, 6, 6_050)
                .then(6_200, "0.0", Type.RELEASE, 1);
    }

    @Test
    void aStoreForgetsNothingUnlessItWasStruck() {
        assertThat(rules(later().strike(7_000, "pause-leader"), FORGETS)).containsExactly(Rule.EXCLUSION);
        assertThat(rules(later().strike(5_000, "pause-leader"), FORGETS)).isEmpty();
        assertThat(rules(later().strike(5_000, "kill-leader"), FORGETS))
                .as("by another strike")
                .containsExactly(Rule.EXCLUSION);
        assertThat(rules(later().strike(3_000, "pause-leader").calm(4_000, "pause-leader"), FORGETS))
                .isEmpty();
        assertThat(rules(later().strike(3_000, "pause-leader").calm(3_999, "pause-leader"), FORGETS))
                .as("too long ago")
                .containsExactly(Rule.EXCLUSION);
        assertThat(rules(later().strike(1, "clock-back-20s"), FORGETS))
                .as("a clock that was moved stays so")
                .isEmpty();
    }

    @Test
    void norDoesItForgetTokensAndWhatItKeeps() {
        Story fallen = new Story().grant(5_000, "0.0", 1, 6, 5_010).grant(6_000, "1.0", 1, 5, 6_010);
        assertThat(rules(fallen.strike(7_000, "pause-leader"), FORGETS)).contains(Rule.TOKENS);
        Story kept = new Story()
                .grant(5_000, "0.0", 1, 5, 5_900)
                .kept(5_010, "0.0", 1, 5_800)
                .grant(5_100, "1.0", 1, 6, 5_200);
        assertThat(rules(kept.strike(7_000, "pause-leader"), FORGETS)).containsExactly(Rule.KEPT);
        assertThat(rules(kept.strike(5_020, "pause-leader"), FORGETS)).isEmpty();
    }
}
