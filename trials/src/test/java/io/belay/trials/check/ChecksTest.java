package io.belay.trials.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.ClientClosedException;
import io.belay.LockRefusedException;
import io.belay.trials.check.Violation.Rule;
import io.belay.trials.history.Event.Type;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChecksTest {
    private static final Promises PROMISES =
            new Promises(Duration.ofSeconds(1), null, Duration.ofMillis(1500), List.of());
    private static final HandOvers HAND_OVERS = new HandOvers(Duration.ofMillis(1500));

    @Test
    void tokensRise() {
        Story story = new Story().grant(10, "0.0", 1, 5, 20).grant(30, "1.0", 1, 6, 40);
        assertThat(story.rules(new Tokens())).isEmpty();
        story.grant(50, "2.0", 1, 6, 60);
        assertThat(story.rules(new Tokens())).containsExactly(Rule.TOKENS);
    }

    @Test
    void aTokenThatWasReadTooLateIsNoFall() {
        Story story = new Story().grant(10, "0.0", 1, 6, 20).grant(30, "1.0", 1, 5, 25);
        assertThat(story.rules(new Tokens())).isEmpty();
    }

    @Test
    void readersShareWhatIsAboveTheWriters() {
        Story story = new Story()
                .lock("rw", 4)
                .grant(9, 10, "0.0", 1, 4, 5, 20)
                .grant(29, 30, "1.0", 1, 1, 7, 40)
                .grant(31, 32, "2.0", 1, 1, 6, 40)
                .grant(49, 50, "0.0", 2, 4, 8, 60);
        assertThat(story.rules(new Tokens())).isEmpty();
        story.grant(61, 62, "0.0", 3, 1, 8, 65);
        assertThat(story.rules(new Tokens())).isEmpty();
        story.grant(69, 70, "1.0", 2, 1, 7, 80);
        assertThat(story.rules(new Tokens())).containsExactly(Rule.TOKENS);
    }

    @Test
    void aWriteWithAnOldToken() {
        Story story = new Story().write(10, 11, "0.0", 1, 5, 1).write(12, 13, "1.0", 1, 6, 2);
        assertThat(story.rules(new GuardedWrites())).isEmpty();
        story.write(14, 15, "0.0", 2, 5, 3);
        assertThat(story.rules(new GuardedWrites())).containsExactly(Rule.STALE_WRITE);
    }

    @Test
    void anOldTokenThatWasQuickEnough() {
        Story story = new Story().write(10, 14, "0.0", 1, 5, 1).write(11, 13, "1.0", 1, 6, 2);
        assertThat(story.rules(new GuardedWrites())).isEmpty();
    }

    @Test
    void aGuardedWriteThatIsWrittenOver() {
        Story story = new Story().write(10, 11, "0.0", 1, 5, 1).write(12, 13, "1.0", 1, 6, 1);
        assertThat(story.rules(new GuardedWrites())).containsExactly(Rule.GUARDED_LOST);
    }

    @Test
    void writesWithoutAGuardAreCountedOnlyWhereNothingGoesWrong() {
        Story story = new Story().unguarded(10, "0.0", 1, 1).unguarded(11, "1.0", 1, 1);
        assertThat(Checks.unguardedLost(story.history())).isEqualTo(1);
        assertThat(Checks.all(story.history(), PROMISES))
                .extracting(Violation::rule)
                .containsExactly(Rule.UNGUARDED_LOST);
        assertThat(Checks.all(story.stall(0, 300, "0.0").history(), PROMISES)).hasSize(1);
        assertThat(Checks.all(story.stall(0, 400, "0.0").history(), PROMISES)).isEmpty();
        story = new Story().unguarded(10, "0.0", 1, 1).unguarded(11, "1.0", 1, 1);
        story.then(5, "0.0", Type.PAUSE, 0);
        assertThat(Checks.all(story.history(), PROMISES)).isEmpty();
    }

    @Test
    void heldAfterLost() {
        Story story =
                new Story().grant(10, "0.0", 1, 5, 100).held(50, "0.0", 1, 100).then(60, "0.0", Type.LOST, 1);
        assertThat(story.rules(new Losses())).isEmpty();
        story.held(61, "0.0", 1, 100);
        assertThat(story.rules(new Losses())).containsExactly(Rule.HELD_AFTER_LOST);
    }

    @Test
    void aLossThatOnlyTheReleaseFound() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 100)
                .then(199, "0.0", Type.RELEASE, 1)
                .then(200, "0.0", Type.RELEASED_LATE, 1);
        assertThat(story.rules(new Losses())).isEmpty();
        story.grant(1500, "0.0", 2, 6, 2000);
        assertThat(story.rules(new Losses())).containsExactly(Rule.LOSS_UNTOLD);
        story.then(101, "0.0", Type.LOST, 1);
        assertThat(story.rules(new Losses())).isEmpty();
    }

    @Test
    void aLossIsToldSoonAfterTheEndThatItsProcessHasFound() {
        Story story = new Story().grant(10, "0.0", 1, 5, 100).then(101, "0.0", Type.NOT_HELD, 1);
        assertThat(story.rules(new Losses())).isEmpty();
        story.grant(1500, "0.0", 2, 6, 2000);
        assertThat(story.rules(new Losses())).containsExactly(Rule.LOSS_UNTOLD);
        story.then(700, "0.0", Type.LOST, 1);
        assertThat(story.rules(new Losses())).as("too late").containsExactly(Rule.LOSS_UNTOLD);
        assertThat(story.stall(200, 690, "0.0").rules(new Losses())).isEmpty();
        story = new Story().grant(10, "0.0", 1, 5, 100).then(101, "0.0", Type.NOT_HELD, 1);
        assertThat(story.then(600, "0.0", Type.LOST, 1)
                        .grant(1500, "0.0", 2, 6, 2000)
                        .rules(new Losses()))
                .isEmpty();
    }

    @Test
    void forALossThatIsToldLateAProcessIsExcusedByWhatItStoodStill() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 100)
                .then(101, "0.0", Type.NOT_HELD, 1)
                .stall(200, 230, "0.0")
                .grant(1500, "0.0", 2, 6, 2000);
        assertThat(story.rules(new Losses())).as("never").containsExactly(Rule.LOSS_UNTOLD);
        story.then(640, "0.0", Type.LOST, 1);
        assertThat(story.rules(new Losses())).as("9 ms too late").containsExactly(Rule.LOSS_UNTOLD);
        assertThat(story.stall(300, 310, "0.0").rules(new Losses())).isEmpty();
        Story paused = new Story()
                .grant(10, "0.0", 1, 5, 100)
                .then(101, "0.0", Type.NOT_HELD, 1)
                .stall(150, 1450, "0.0")
                .grant(1500, "0.0", 2, 6, 2000);
        assertThat(paused.rules(new Losses())).as("it has hardly run since").isEmpty();
    }

    @Test
    void whatMaySeemToBeOverIsNotLostIfItWasReleased() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 100)
                .then(101, "0.0", Type.NOT_HELD, 1)
                .then(120, "0.0", Type.RELEASE, 1)
                .then(121, "0.0", Type.RELEASED, 1)
                .grant(1500, "0.0", 2, 6, 2000);
        assertThat(story.rules(new Losses())).isEmpty();
    }

    @Test
    void whatIsOverIsLostWhateverItsReleaseSays() {
        for (Type outcome : List.of(Type.RELEASED, Type.RELEASE_UNKNOWN)) {
            Story story = new Story()
                    .grant(10, "0.0", 1, 5, 100)
                    .then(101, "0.0", Type.NOT_HELD, 1)
                    .then(900, "0.0", Type.RELEASE, 1)
                    .then(901, "0.0", outcome, 1)
                    .grant(3000, "0.0", 2, 6, 4000);
            assertThat(story.rules(new Losses())).containsExactly(Rule.LOSS_UNTOLD);
            assertThat(story.then(102, "0.0", Type.LOST, 1).rules(new Losses())).isEmpty();
        }
        Story unknown = new Story()
                .grant(10, "0.0", 1, 5, 100)
                .then(101, "0.0", Type.NOT_HELD, 1)
                .then(120, "0.0", Type.RELEASE, 1)
                .then(901, "0.0", Type.RELEASE_UNKNOWN, 1)
                .grant(3000, "0.0", 2, 6, 4000);
        assertThat(unknown.rules(new Losses())).as("soon, too").containsExactly(Rule.LOSS_UNTOLD);
    }

    @Test
    void whatIsOverIsNotHeldAgain() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 100)
                .then(99, "0.0", Type.NOT_HELD, 1)
                .held(100, "0.0", 1, 110);
        assertThat(story.rules(new Losses())).as("unsure before its end").isEmpty();
        story.then(111, "0.0", Type.NOT_HELD, 1).grant(120, "1.0", 1, 6, 400);
        assertThat(story.rules(new Losses())).isEmpty();
        assertThat(story.held(150, "0.0", 1, 300).rules(new Losses())).containsExactly(Rule.HELD_AFTER_LOST);
    }

    @Test
    void aLossAtAnEndThatWasMovedIsToBeToldToo() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 900)
                .moved(50, "0.0", 1, 100)
                .then(199, "0.0", Type.RELEASE, 1)
                .then(200, "0.0", Type.RELEASED_LATE, 1)
                .grant(1500, "0.0", 2, 6, 2000);
        assertThat(story.rules(new Losses())).containsExactly(Rule.LOSS_UNTOLD);
        assertThat(story.then(101, "0.0", Type.LOST, 1).rules(new Losses())).isEmpty();
    }

    @Test
    void aReleaseTellsOfNoLossAndNoDoubtWhereNothingWentWrong() {
        Story story = new Story().grant(10, "0.0", 1, 5, 300).then(199, "0.0", Type.RELEASE, 1);
        assertThat(story.then(200, "0.0", Type.RELEASED_LATE, 1).rules(new Releases()))
                .containsExactly(Rule.RELEASE_WRONG);
        assertThat(Checks.all(story.history(), PROMISES))
                .extracting(Violation::rule)
                .contains(Rule.RELEASE_WRONG);
        assertThat(Checks.all(story.strike(100, "server").history(), PROMISES))
                .extracting(Violation::rule)
                .doesNotContain(Rule.RELEASE_WRONG);

        Story over = new Story().grant(10, "0.0", 1, 5, 300).then(301, "0.0", Type.RELEASE, 1);
        assertThat(over.then(302, "0.0", Type.RELEASED_LATE, 1).rules(new Releases()))
                .isEmpty();

        Story unknown = new Story().grant(10, "0.0", 1, 5, 300).then(20, "0.0", Type.RELEASE, 1);
        assertThat(unknown.then(1_019, "0.0", Type.RELEASE_UNKNOWN, 1).rules(new Releases()))
                .containsExactly(Rule.RELEASE_WRONG);
        assertThat(new Story()
                        .grant(10, "0.0", 1, 5, 300)
                        .then(20, "0.0", Type.RELEASE, 1)
                        .then(1_020, "0.0", Type.RELEASE_UNKNOWN, 1)
                        .rules(new Releases()))
                .as("judged by how long the store was silent")
                .isEmpty();
    }

    @Test
    void whatWasTakenAwayByForceIsToldByTheRelease() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 300)
                .then(199, "0.0", Type.RELEASE, 1)
                .then(200, "0.0", Type.RELEASED_LATE, 1)
                .grant(1500, "0.0", 2, 6, 2000);
        assertThat(story.rules(new Losses())).isEmpty();
    }

    @Test
    void aWaiterThatComesTooLate() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 1000)
                .then(20, "0.0", Type.KILL, 0)
                .grant(15, 1400, "1.0", 1, 1, 6, 2000);
        assertThat(story.rules(HAND_OVERS)).isEmpty();
        assertThat(HandOvers.longest(story.history())).hasMillis(1380);
        story.then(1500, "1.0", Type.KILL, 0).grant(1450, 3100, "2.0", 1, 1, 7, 4000);
        assertThat(story.rules(HAND_OVERS)).containsExactly(Rule.LATE);
    }

    /** A first holder until 100, and one that asks at 50 and gets the lock at 2000. */
    private static Story late() {
        return new Story()
                .grant(10, "0.0", 1, 5, 9000)
                .then(100, "0.0", Type.RELEASE, 1)
                .grant(50, 2000, "1.0", 1, 1, 6, 9000);
    }

    @Test
    void thoseAheadMayHaveBeenKilledOrStopped() {
        assertThat(late().rules(HAND_OVERS)).containsExactly(Rule.LATE);
        for (Type strike : List.of(Type.KILL, Type.PAUSE)) {
            Story story = late().then(40, "2.0", Type.ASK, 1).then(490, "2.0", strike, 0);
            assertThat(story.rules(HAND_OVERS)).containsExactly(Rule.LATE);
            story.then(510, "3.0", strike, 0);
            assertThat(story.rules(HAND_OVERS)).containsExactly(Rule.LATE);
            story.then(510, "2.0", strike, 0);
            assertThat(story.rules(HAND_OVERS)).isEmpty();
        }
    }

    /** Its replies are lost, so it hears of no grant, and renews nothing. */
    @Test
    void thoseAheadMayHaveBeenSilenced() {
        Story story = late().then(40, "2.1", Type.ASK, 1).strike(490, "lose-replies-of-2");
        assertThat(story.rules(HAND_OVERS)).containsExactly(Rule.LATE);
        story.strike(510, "lose-reply-of-2").strike(510, "lose-replies-of-3");
        assertThat(story.rules(HAND_OVERS)).containsExactly(Rule.LATE);
        story.strike(510, "lose-replies-of-2");
        assertThat(story.rules(HAND_OVERS)).isEmpty();
    }

    @Test
    void thoseAheadMayHaveHalfOpenConnections() {
        Story story = late().then(40, "2.1", Type.ASK, 1).strike(510, "half-open-of-3");
        assertThat(story.rules(HAND_OVERS)).containsExactly(Rule.LATE);
        story.strike(510, "half-open-of-2");
        assertThat(story.rules(HAND_OVERS)).isEmpty();
    }

    /** A strike after the limit does not make up for what was late before it. */
    @Test
    void aStrikeHidesNothingThatWasLateBeforeIt() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 9000)
                .then(100, "0.0", Type.RELEASE, 1)
                .grant(50, 3000, "1.0", 1, 1, 6, 9000)
                .then(40, "2.0", Type.ASK, 1);
        assertThat(story.then(1590, "2.0", Type.KILL, 0).rules(HAND_OVERS)).isEmpty();
        assertThat(HandOvers.longestDelay(story.history())).hasMillis(1490);
        story = new Story()
                .grant(10, "0.0", 1, 5, 9000)
                .then(100, "0.0", Type.RELEASE, 1)
                .grant(50, 3000, "1.0", 1, 1, 6, 9000)
                .then(40, "2.0", Type.ASK, 1);
        assertThat(story.then(1610, "2.0", Type.KILL, 0).rules(HAND_OVERS)).containsExactly(Rule.LATE);
    }

    @Test
    void whoIsStoppedMayBeLateAndOthersMayNot() {
        Story story = late().then(300, "1.0", Type.PAUSE, 0).then(400, "1.0", Type.RESUME, 0);
        assertThat(story.rules(HAND_OVERS)).isEmpty();
        story.then(310, "2.0", Type.ASK, 1);
        assertThat(story.rules(HAND_OVERS)).containsExactly(Rule.LATE);
    }

    @Test
    void whatTheMachineTakesIsAllowedForWhereItWasTaken() {
        assertThat(late().stall(150, 600, "1.0").rules(HAND_OVERS)).isEmpty();
        assertThat(late().stall(150, 600, "-").rules(HAND_OVERS)).isEmpty();
        assertThat(HandOvers.longestDelay(late().stall(150, 600, "1.0").history()))
                .hasMillis(1450);
        assertThat(late().stall(250, 600, "1.0").rules(HAND_OVERS)).containsExactly(Rule.LATE);
        assertThat(late().stall(250, 600, "2.0").stall(150, 500, "1.0").rules(HAND_OVERS))
                .isEmpty();
        assertThat(late().stall(150, 600, "2.0").then(500, "2.0", Type.PAUSE, 0).rules(HAND_OVERS))
                .containsExactly(Rule.LATE);
        assertThat(late().stall(2000, 2450, "-").rules(HAND_OVERS)).containsExactly(Rule.LATE);
    }

    /** A lock that goes from one process to another that waits for it, so often, each time after so many milliseconds. */
    private static Story handedOver(int times, long millis) {
        Story story = new Story().grant(10, "0.0", 1, 1, 90_000).then(20, "0.0", Type.RELEASE, 1);
        long free = 20;
        for (int i = 1; i <= times; i++) {
            String process = (i % 2) + ".0";
            story.grant(free - 1, free + millis, process, 1 + i, 1, 1 + i, 90_000);
            free += millis + 1;
            story.then(free, process, Type.RELEASE, 1 + i);
        }
        return story;
    }

    @Test
    void whoWaitsIsToldOfItsGrantAndDoesNotFindItOut() {
        ToldInTime check = new ToldInTime(Duration.ofSeconds(1));
        assertThat(handedOver(20, 101).rules(check)).containsExactly(Rule.UNTOLD);
        assertThat(handedOver(20, 100).rules(check)).isEmpty();
        assertThat(handedOver(19, 101).rules(check)).as("of so few").isEmpty();
        assertThat(handedOver(20, 101).stall(20, 3_000, "2.0").rules(check))
                .as("the machine's time")
                .isEmpty();
    }

    @Test
    void whoeverAskedWhileItWasFreeDidNotWait() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 1000)
                .then(20, "0.0", Type.RELEASE, 1)
                .grant(5000, "1.0", 1, 6, 6000);
        assertThat(story.rules(HAND_OVERS)).isEmpty();
    }

    /** As a waiter is whose claim was lost. */
    @Test
    void whoWaitsIsNotPassedByWhileNobodyHasIt() {
        assertThat(passedBy().rules(HAND_OVERS)).containsExactly(Rule.LATE);
        assertThat(HandOvers.longestDelay(passedBy().history())).hasMillis(19_980);
        assertThat(HandOvers.longest(passedBy().history())).as("to who waited").hasMillis(100);
        assertThat(passedBy().then(30, "2.0", Type.PAUSE, 0).rules(HAND_OVERS)).isEmpty();
    }

    private static Story passedBy() {
        return new Story()
                .grant(10, "0.0", 1, 5, 1000)
                .then(20, "0.0", Type.RELEASE, 1)
                .grant(19_900, 20_000, "1.0", 1, 1, 6, 21_000)
                .then(20_100, "1.0", Type.RELEASE, 1)
                .grant(15, 20_200, "2.0", 1, 1, 7, 21_000);
    }

    @Test
    void whoWaitsInVainForALockThatNobodyHasIsTold() {
        Story story = new Story()
                .grant(10, "0.0", 1, 5, 1000)
                .then(15, "2.0", Type.ASK, 1)
                .then(20, "0.0", Type.RELEASE, 1)
                .grant(5000, "1.0", 1, 6, 6000);
        assertThat(story.then(1_500, "2.0", Type.REFUSED, 1).rules(HAND_OVERS)).isEmpty();
        story = new Story()
                .grant(10, "0.0", 1, 5, 1000)
                .then(15, "2.0", Type.ASK, 1)
                .then(20, "0.0", Type.RELEASE, 1)
                .grant(5000, "1.0", 1, 6, 6000);
        assertThat(story.then(1_600, "2.0", Type.REFUSED, 1).rules(HAND_OVERS)).containsExactly(Rule.LATE);
    }

    @Test
    void whatIsLeftBehind() {
        LeftBehind check = new LeftBehind(PROMISES.lease());
        assertThat(new Story().left(0, 121_000).rules(check)).isEmpty();
        assertThat(new Story().left(0, 121_001).rules(check)).containsExactly(Rule.LEFT_BEHIND);
        assertThat(new Story().left(0, -1).rules(check)).containsExactly(Rule.LEFT_BEHIND);
        assertThat(new Story().left(1, 0).rules(check)).containsExactly(Rule.LEFT_BEHIND);
    }

    @Test
    void whatIsThrownAndNotDocumented() {
        Story story = new Story().threw(10, "0.0", NullPointerException.class);
        assertThat(story.rules(new Defects(false))).containsExactly(Rule.DEFECT);
        assertThat(story.rules(new Defects(true))).containsExactly(Rule.DEFECT);
        assertThat(Checks.all(story.history(), PROMISES))
                .extracting(Violation::rule)
                .containsExactly(Rule.DEFECT);
    }

    @Test
    void aStoreThatForgetsMayGrantWhatAClientRefuses() {
        Story story = new Story().then(10, "0.0", Type.WENT_BACK, 0);
        assertThat(story.rules(new Defects(false))).containsExactly(Rule.DEFECT);
        assertThat(story.rules(new Defects(true))).isEmpty();
        story.threw(11, "0.0", LockRefusedException.class); // for another reason
        assertThat(story.rules(new Defects(true))).containsExactly(Rule.DEFECT);
    }

    @Test
    void whoIsStuckIsToldSoOnceAndNotThatItsClientIsClosed() {
        Story story = new Story().threw(10, "0.0", ClientClosedException.class);
        assertThat(story.rules(new Defects(false))).containsExactly(Rule.DEFECT);
        assertThat(story.then(9, "0.0", Type.STUCK, 0).rules(new Defects(false)))
                .isEmpty();
        assertThat(story.threw(11, "0.0", NullPointerException.class).rules(new Defects(false)))
                .containsExactly(Rule.DEFECT);
        assertThat(story.threw(12, "1.0", ClientClosedException.class).rules(new Defects(false)))
                .hasSize(2);
    }

    @Test
    void aWaiterThatIsStuck() {
        assertThat(new Story().then(10, "0.0", Type.STUCK, 0).rules(new Stuck()))
                .containsExactly(Rule.STUCK);
    }
}
