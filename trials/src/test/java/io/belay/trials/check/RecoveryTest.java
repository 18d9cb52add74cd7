package io.belay.trials.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event.Type;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecoveryTest {
    private static final ServedAgain SERVED_AGAIN = new ServedAgain(Duration.ofSeconds(1));
    private static final RateReturns RATE_RETURNS = new RateReturns();

    /** The store was away from 4000 to 6000, and from 7000 on a process was told once that it is silent. */
    private static Story outage() {
        return new Story()
                .then(4000, "-", Type.STRIKE, 0)
                .then(6000, "-", Type.CALM, 0)
                .then(6500, "0.0", Type.UNKNOWN, 1)
                .then(7500, "0.0", Type.UNKNOWN, 2);
    }

    @Test
    void whoIsToldNothingButThatTheStoreIsSilent() {
        Story story = outage().then(9100, "1.0", Type.REFUSED, 1);
        assertThat(story.rules(SERVED_AGAIN)).containsExactly(Rule.UNSERVED);
        assertThat(outage().then(9100, "0.0", Type.REFUSED, 3).rules(SERVED_AGAIN))
                .isEmpty();
        assertThat(outage().then(9100, "1.0", Type.REFUSED, 1)
                        .stall(7100, 7300, "1.0")
                        .rules(SERVED_AGAIN))
                .isEmpty();
    }

    @Test
    void aShortTimeBetweenTwoStrikesShowsNothing() {
        Story story = outage().then(8900, "-", Type.STRIKE, 0).then(9100, "1.0", Type.REFUSED, 1);
        assertThat(story.rules(SERVED_AGAIN)).isEmpty();
        assertThat(SERVED_AGAIN.isJudged(story.history())).isFalse();
        story = outage().then(9000, "-", Type.STRIKE, 0).then(9100, "1.0", Type.REFUSED, 1);
        assertThat(story.rules(SERVED_AGAIN)).containsExactly(Rule.UNSERVED);
        assertThat(SERVED_AGAIN.isJudged(story.history())).isTrue();
    }

    /** A hundred grants a second until 3000, a store that stands still until 4000, and others every so often until 8000. */
    private static Story standstill(int every) {
        Story story = new Story();
        grants(story, 0, 3000, 10);
        story.lock("stop-all", 1).then(3000, "-", Type.STRIKE, 0).then(4000, "-", Type.CALM, 0);
        story.lock("x", 1);
        grants(story, 4000, 8000, every);
        return story;
    }

    private static void grants(Story story, long from, long to, int every) {
        for (long at = from; at < to; at += every) {
            story.grant(at + 1, "0.0", at + 1, at + 1, at + 2);
        }
    }

    @Test
    void aThirdOfTheRateMustBeBack() {
        assertThat(standstill(29).rules(RATE_RETURNS)).isEmpty();
        assertThat(RateReturns.isJudged(standstill(29).history())).isTrue();
        assertThat(standstill(32).rules(RATE_RETURNS)).containsExactly(Rule.SLOW);
    }

    @Test
    void whatTheMachineTookIsAllowedForTheRateToo() {
        Story story = standstill(1000);
        grants(story, 7000, 8000, 20);
        assertThat(story.rules(RATE_RETURNS)).containsExactly(Rule.SLOW);
        assertThat(story.stall(5000, 6000, "0.0").rules(RATE_RETURNS)).isEmpty();
    }

    @Test
    void whatIsStruckAgainTooSoonIsNotCompared() {
        Story story = standstill(1000).lock("stop-all", 1).then(6900, "-", Type.STRIKE, 0);
        assertThat(story.rules(RATE_RETURNS)).isEmpty();
        assertThat(RateReturns.isJudged(story.history())).isFalse();
    }

    @Test
    void aRecordGrowsWithClientsAndClaims() {
        RecordSizes check = new RecordSizes(2);
        assertThat(new Story().record(1, 1088 + 256).rules(check)).isEmpty();
        assertThat(new Story().record(1, 1088 + 257).rules(check)).containsExactly(Rule.BIG);
        assertThat(new Story().record(0, 1089).rules(check)).containsExactly(Rule.BIG);
        assertThat(new Story().then(1, "-", Type.STRIKE, 0).record(0, 1089).rules(check))
                .isEmpty();
    }
}
