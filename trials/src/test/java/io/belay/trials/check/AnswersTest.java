package io.belay.trials.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.trials.check.Violation.Rule;
import io.belay.trials.fault.Fault;
import io.belay.trials.history.Event.Type;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
    private static final Unanswered UNANSWERED = new Unanswered();
    private static final WorksAgain WORKS_AGAIN = new WorksAgain();

    /** A try that is told from 1000 on, after so long, that nobody knows, while locks of that name go from client to client. */
    private static Story unknown(long after, Type begin, Type end) {
        Story story = new Story();
        for (long at = 500; at < 4000; at += 500) {
            story.grant(at, at / 500 % 2 + 2 + ".0", at, at, at + 10);
        }
        return story.then(1000, "1.0", begin, 1).then(1000 + after, "1.0", end, 1);
    }

    private static Story unknown(long after) {
        return unknown(after, Type.ASK, Type.UNKNOWN);
    }

    @Test
    void whereNothingGoesWrongAllIsKnown() {
        assertThat(unknown(2000).rules(UNANSWERED)).containsExactly(Rule.UNANSWERED);
        assertThat(unknown(2000, Type.RELEASE, Type.RELEASE_UNKNOWN).rules(UNANSWERED))
                .containsExactly(Rule.UNANSWERED);
        assertThat(unknown(2000, Type.ASK, Type.REFUSED).rules(UNANSWERED)).isEmpty();
        // A machine that is busy may take so long.
        assertThat(unknown(999).rules(UNANSWERED)).isEmpty();
    }

    @Test
    void isJudgedWhereTheFaultIsNone() {
        Duration lease = Duration.ofSeconds(1);
        assertThat(Checks.all(unknown(2000).history(), Fault.NONE.promises("redis", lease)))
                .extracting(Violation::rule)
                .contains(Rule.UNANSWERED);
        assertThat(Checks.all(unknown(2000).history(), Fault.SERVER.promises("redis", lease)))
                .extracting(Violation::rule)
                .doesNotContain(Rule.UNANSWERED);
    }

    @Test
    void theMachineMayHaveTakenTheTime() {
        assertThat(unknown(2000).stall(1000, 2000, "2.0").rules(UNANSWERED)).containsExactly(Rule.UNANSWERED);
        assertThat(unknown(2000).stall(1000, 2001, "2.0").rules(UNANSWERED)).isEmpty();
    }

    @Test
    void theStoreMayHaveBeenSilentToAll() {
        // The last grants are at 3000 and 3500.
        assertThat(unknown(5000).rules(UNANSWERED)).containsExactly(Rule.UNANSWERED);
        assertThat(unknown(5002).rules(UNANSWERED)).isEmpty();
        // What a client hands on among its threads is no word of the store.
        assertThat(unknown(5002).grant(5000, "3.0", 1, 9000, 5010).rules(UNANSWERED))
                .isEmpty();
        assertThat(unknown(5002).grant(5000, "4.0", 1, 9000, 5010).rules(UNANSWERED))
                .containsExactly(Rule.UNANSWERED);
    }

    @Test
    void whoseConnectionsAreHalfOpenMayBeToldSo() {
        assertThat(unknown(2000).strike(900, "half-open-of-1").rules(UNANSWERED))
                .isEmpty();
        assertThat(unknown(2000).strike(1200, "half-open-of-1").rules(UNANSWERED))
                .isEmpty();
        assertThat(unknown(2000)
                        .strike(500, "half-open-of-1")
                        .calm(1100, "half-open-of-1")
                        .rules(UNANSWERED))
                .isEmpty();
    }

    @Test
    void othersMayNotNorThatClientOnceItMustWorkAgain() {
        assertThat(unknown(2000).strike(900, "half-open-of-2").rules(UNANSWERED))
                .containsExactly(Rule.UNANSWERED);
        assertThat(unknown(2000)
                        .strike(500, "half-open-of-1")
                        .calm(999, "half-open-of-1")
                        .rules(UNANSWERED))
                .containsExactly(Rule.UNANSWERED);
    }

    /** A client that must work again from 3000 on, and waits from that instant on while another one's two threads have the lock. */
    private static Story passed(long asked, int times) {
        Story story = new Story()
                .strike(1000, "half-open-of-1")
                .calm(3000, "half-open-of-1")
                .then(asked, "1.0", Type.ASK, 1)
                .then(asked, "2.0", Type.ASK, 9000);
        for (int i = 1; i <= times; i++) {
            story.grant(3000 + 10L * i, "0.0", i, i, 3009 + 10L * i);
        }
        return story;
    }

    @Test
    void aClientMustHaveItsTurnsAgain() {
        // Three threads, so twelve times.
        assertThat(passed(2000, 11).rules(WORKS_AGAIN)).isEmpty();
        assertThat(passed(2000, 12).then(2500, "2.0", Type.REFUSED, 9000).rules(WORKS_AGAIN))
                .containsExactly(Rule.UNSERVED);
        assertThat(passed(3005, 12).then(3006, "2.0", Type.REFUSED, 9000).rules(WORKS_AGAIN))
                .containsExactly(Rule.UNSERVED);
        for (Type answer : List.of(Type.REFUSED, Type.UNKNOWN, Type.GRANTED)) {
            Story story = passed(2000, 12).then(2500, "2.0", Type.REFUSED, 9000);
            assertThat(story.then(3055, "1.0", answer, 1).rules(WORKS_AGAIN)).isEmpty();
        }
    }

    @Test
    void aClientMayBePassedWhileItsConnectionsAreHalfOpen() {
        Story story = passed(2000, 12).then(2500, "2.0", Type.REFUSED, 9000);
        assertThat(story.strike(3055, "half-open-of-1").rules(WORKS_AGAIN)).isEmpty();
        story = passed(2000, 12).then(2500, "2.0", Type.REFUSED, 9000);
        assertThat(story.strike(3055, "half-open-of-0").rules(WORKS_AGAIN)).containsExactly(Rule.UNSERVED);
    }
}
