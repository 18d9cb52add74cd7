package io.belay.trials.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event.Type;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A lock that is given back at 99 and kept until 299: 200 ms, of which 1 % and 2 ms are the margin. */
class KeptTest {
    private static final long EARLIEST = 295;

    private final Kept check = new Kept();

    private static Story kept() {
        return new Story().grant(10, "0.0", 1, 5, 1000).kept(100, "0.0", 1, 299);
    }

    @Test
    void theNextHasItWhenTheTimeIsOver() {
        assertThat(kept().rules(check)).isEmpty();
        assertThat(kept().grant(EARLIEST, "1.0", 1, 6, 1000).rules(check)).isEmpty();
    }

    @Test
    void nobodyHasItBefore() {
        for (String process : List.of("0.0", "0.1", "1.0")) {
            assertThat(kept().grant(EARLIEST - 1, process, 2, 6, 1000).rules(check))
                    .containsExactly(Rule.KEPT);
        }
    }

    @Test
    void norBetweenTheReleaseAndItsAnswer() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 1000)
                .kept(100, "0.0", 1, 299)
                .grant(100, "1.0", 1, 6, 1000);
        assertThat(story.rules(check)).containsExactly(Rule.KEPT);
    }

    @Test
    void itIsKeptThoughItsProcessDies() {
        Story story = kept().then(110, "0.0", Type.KILL, 0).grant(200, "1.0", 1, 6, 1000);
        assertThat(story.rules(check)).containsExactly(Rule.KEPT);
    }

    @Test
    void aSecondTimeThatEndsSoonerTakesNothingFromTheFirst() {
        Story story =
                kept().grant(110, "1.0", 1, 6, 1000).kept(121, "1.0", 1, 160).grant(200, "2.0", 1, 7, 1000);
        assertThat(story.rules(check)).containsExactly(Rule.KEPT, Rule.KEPT);
    }

    @Test
    void otherLocksAreFree() {
        assertThat(kept().lock("y", 1).grant(200, "1.0", 1, 6, 1000).rules(check))
                .isEmpty();
    }

    @Test
    void aGrantThatIsReadWhenItIsOverIsNone() {
        assertThat(kept().grant(200, "1.0", 1, 4, 150).rules(check)).isEmpty();
    }

    @Test
    void isJudgedWhereTheStoreForgetsNothing() {
        Story story = kept().grant(200, "1.0", 1, 6, 1000);
        Forgetting forgetting = new Forgetting(List.of("roll-back"), Duration.ofSeconds(1));
        assertThat(Checks.all(story.strike(50, "roll-back").history(), promises(null)))
                .extracting(Violation::rule)
                .containsExactly(Rule.KEPT);
        assertThat(Checks.all(story.history(), promises(forgetting))).isEmpty();
    }

    private static Promises promises(@Nullable Forgetting forgetting) {
        return new Promises(Duration.ofSeconds(1), forgetting, null, List.of());
    }
}
