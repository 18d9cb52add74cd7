package io.belay.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Confirmation;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Resource;
import org.junit.jupiter.api.Test;

/** What answers and pushes mean for a claim, in orders that a search of the protocol once showed to be misread. */
class StayTest {
    private static final long SECOND = 1_000_000_000;
    private static final ClaimId ID = ClaimId.of(1, 1);

    private final Stay stay = entering(9_000_000);

    /** An enter was sent again after its first claim had expired, so the claim had two sequences, one after the other. */
    @Test
    void aGrantOfTheSecondOfTwoEntersIsNotMissedWhenItsPushComesFirst() {
        stay.enters++;
        stay.answered(waiting(0, 2), sent(0), 3 * SECOND);
        stay.pushed(granted(3_000_000), 3 * SECOND);
        stay.answered(waiting(3_000_000, 3_000_000), sent(3 * SECOND), 3 * SECOND);
        asksAtOnceAndHolds();
    }

    @Test
    void aGrantOfTheSecondOfTwoEntersIsNotMissedWhenAllComesInTheWrongOrder() {
        stay.enters++;
        stay.pushed(granted(3_000_000), 3 * SECOND);
        stay.pushed(granted(2), 3 * SECOND);
        stay.answered(waiting(0, 2), sent(0), 3 * SECOND);
        asksAtOnceAndHolds();
    }

    /** What a push has told before its time is no more than a hint to ask. */
    private void asksAtOnceAndHolds() {
        stay.inFlight.answered();
        assertThat(stay.isToBeAskedAtOnce(3 * SECOND)).isTrue();
        Answer granted = Answer.of(Answer.State.GRANTED, 3_000_000).withClaim(3_000_000, 5_000_000);
        stay.answered(granted, sent(3 * SECOND), 3 * SECOND);
        assertThat(stay.phase).isEqualTo(Phase.HELD);
        assertThat(stay.sequence()).isEqualTo(3_000_000);
    }

    /** A renewal that nobody heard the answer of came after the jump, so the deadline it set is an hour away. */
    @Test
    void aPushAfterTheStoresClockWasPutAheadIsAHintOnly() {
        long ahead = 3_600_000_000L;
        stay.answered(waiting(0, 2), sent(0), 0);
        stay.pushed(Push.granted("x", ID, 2, ahead, ahead + 2_000_000), SECOND);
        assertThat(stay.phase).isEqualTo(Phase.WAITING);
        assertThat(stay.askAt).isEqualTo(SECOND);
    }

    /** The store's clock was put back by an hour, and the deadline that it keeps was not. */
    @Test
    void noLeaseIsLongerThanWasAskedFor() {
        Answer granted = Answer.of(Answer.State.GRANTED, 0).withClaim(2, 3_600_000_000L);
        assertThat(stay.answered(granted, sent(0), 0)).isEqualTo(News.GRANTED);
        assertThat(stay.noticesExpiry(8 * SECOND)).isFalse();
        assertThat(stay.noticesExpiry(9 * SECOND)).isTrue();
        assertThat(stay.askAt).isLessThan(3 * SECOND);
    }

    /** The same of a push: the time to pick up a grant, two seconds, was not cut short by what is left of the wait. */
    @Test
    void noLeaseThatAPushTellsOfIsLongerThanWasAskedFor() {
        Stay brief = entering(1_000_000);
        brief.answered(waiting(0, 2), sent(0), 0);
        brief.pushed(Push.granted("x", ID, 2, 1_000, 2_001_000), SECOND / 1000);
        assertThat(brief.noticesExpiry(SECOND / 2)).isFalse();
        assertThat(brief.noticesExpiry(SECOND)).isTrue();
    }

    /** A machine that slept between a request and its answer had read the wall clock at the answer, and believed its whole lease. */
    @Test
    void anAnswerToWhatWasSentBeforeASuspensionMakesNothingSure() {
        Answer granted = Answer.of(Answer.State.GRANTED, 0).withClaim(2, 9_000_000);
        stay.answered(granted, sent(0), SECOND);
        assertThat(stay.isUnsure(0)).isFalse();
        assertThat(stay.isUnsure(30_000))
                .as("the wall clock is 30 s ahead since")
                .isTrue();
    }

    /** A late one tells of a wait that no replica had to confirm. */
    @Test
    void anAnswerThatDoesNotCountTakesNoConfirmationAway() {
        Answer granted = Answer.of(Answer.State.GRANTED, 0).withClaim(2, 9_000_000);
        stay.answered(granted.confirmedBy(Confirmation.of(2, 2)), sent(0), 0);
        stay.answered(waiting(0, 2).confirmedBy(Confirmation.of(0, 2)), sent(0), 0);
        assertThat(stay.confirmation()).isEqualTo(Confirmation.of(2, 2));
    }

    /** Thousands who wait for the permits of a semaphore would leave its store no time for anything else. */
    @Test
    void whoIsFarBehindAsksLessOften() {
        stay.answered(waiting(0, 2), sent(0), 0);
        assertThat(stay.askAt).isEqualTo(2 * SECOND);
        stay.answered(waiting(0, 2).withPlace(64), sent(0), 0);
        assertThat(stay.askAt).as("a third of what the claim lasts").isBetween(29 * SECOND / 10, 3 * SECOND);
    }

    private static Stay entering(long lease) {
        Terms terms = Terms.of("x", Resource.WHOLE, Resource.WHOLE, lease, Terms.Use.ALL);
        Stay stay = new Stay(ID, terms, false, 0, Owner.of("a", "here", 1, "main"), 0);
        stay.inFlight.begin(0, 0, SECOND);
        return stay;
    }

    /** Returns the first request, sent at that instant by a clock that is not ahead. */
    private static Sent sent(long at) {
        return new Sent(1, at, 0, false, false);
    }

    private static Answer waiting(long time, long sequence) {
        return Answer.of(Answer.State.WAITING, time)
                .withClaim(sequence, time + 9_000_000)
                .withPlace(1)
                .withQueue(time + 9_000_000, 0);
    }

    private static Push granted(long sequence) {
        return Push.granted("x", ID, sequence, sequence, sequence + 2_000_000);
    }
}
