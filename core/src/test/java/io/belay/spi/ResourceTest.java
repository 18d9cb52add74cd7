package io.belay.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.spi.Answer.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each operation of the reference model by example. */
class ResourceTest {
    private static final long SECOND = 1_000_000;
    private static final long LEASE = 30 * SECOND;
    private static final Owner OWNER = Owner.of("client", "host", 1, "main");

    private long now = 1_000 * SECOND;
    private Resource state = Resource.UNUSED;
    private final List<ClaimId> pushed = new ArrayList<>();
    private final List<ClaimId> ended = new ArrayList<>();
    private List<ClaimId> wanted = List.of();

    private Answer run(Request request) {
        Step step = request.applyTo(state, now);
        state = step.next();
        pushed.clear();
        ended.clear();
        step.granted().forEach(c -> pushed.add(c.id()));
        step.ended().forEach(c -> ended.add(c.id()));
        wanted = step.wanted().stream().map(Claim::id).toList();
        return step.answer();
    }

    private static ClaimId id(int n) {
        return ClaimId.of(7, n);
    }

    private static Request.Enter lock(int n) {
        return enter(n, Resource.WHOLE, Resource.WHOLE, 0, false);
    }

    private static Request.Enter read(int n) {
        return enter(n, Resource.WHOLE, 1, 0, false);
    }

    private static Request.Enter permits(int n, int weight) {
        return enter(n, 5, weight, 0, false);
    }

    private static Request.Enter sticky(int n) {
        return Request.Enter.of("r", id(n), ClaimSpec.whole(LEASE).withSticky(true), 0, OWNER);
    }

    private static Request.Enter enter(int n, int capacity, int weight, long hold, boolean ifFree) {
        return Request.Enter.of(
                "r",
                id(n),
                ClaimSpec.of(capacity, weight, LEASE).withFixedLease(hold).withIfFree(ifFree),
                0,
                OWNER);
    }

    private static Request.Leave leave(int n) {
        return Request.Leave.of("r", id(n), false);
    }

    private Request.Renew renew(int n) {
        return Request.Renew.of("r", id(n), claim(n).sequence(), LEASE, 0, false);
    }

    private Request.Renew fresh(int n) {
        return Request.Renew.of("r", id(n), claim(n).sequence(), LEASE, 0, true);
    }

    private Request.Yield yielding(int n) {
        return Request.Yield.of("r", id(n), claim(n).sequence(), LEASE, 0);
    }

    private Request.Reweight reweight(int n, int weight) {
        return Request.Reweight.of("r", id(n), claim(n).sequence(), claim(n).reweights(), weight);
    }

    private Claim claim(int n) {
        return state.claims().stream()
                .filter(c -> c.id().equals(id(n)))
                .findAny()
                .orElseThrow();
    }

    private List<Long> granted() {
        return state.holders().stream().map(c -> c.id().number()).toList();
    }

    private List<Long> all() {
        return state.claims().stream().map(c -> c.id().number()).toList();
    }

    @Nested
    class Enter {
        @Test
        void aFreeLockIsGrantedAtOnceWithItsLeaseAndTheTimeAsSequence() {
            Answer answer = run(lock(1));
            assertThat(answer.state()).isEqualTo(State.GRANTED);
            assertThat(answer.sequence()).isEqualTo(now);
            assertThat(answer.deadline()).isEqualTo(now + LEASE);
            assertThat(answer.place()).isZero();
            assertThat(pushed).isEmpty();
        }

        @Test
        void laterOnesWaitInOrderAndAreToldTheirPlaceAndTheNextExpiry() {
            run(lock(1));
            run(lock(2));
            Answer answer = run(lock(3));
            assertThat(answer.state()).isEqualTo(State.WAITING);
            assertThat(answer.place()).isEqualTo(2);
            assertThat(answer.waiters()).isEqualTo(1);
            assertThat(answer.expiry()).isEqualTo(now + LEASE);
        }

        private Answer propose(int n, long sequence) {
            return run(Request.Enter.of("r", id(n), ClaimSpec.whole(LEASE).withIfFree(true), 0, OWNER)
                    .withProposed(sequence));
        }

        @Test
        void aSequenceThatIsProposedIsHadOrNothingIs() {
            assertThat(propose(1, now + LEASE).sequence()).isEqualTo(now + LEASE);
            assertThat(propose(2, now + LEASE + 1).state()).isEqualTo(State.BUSY);
            run(leave(1));
            Answer behind = propose(2, now + LEASE);
            assertThat(behind.state()).isEqualTo(State.BEHIND);
            assertThat(behind.sequence()).isEqualTo(now + LEASE + 1);
            assertThat(all()).isEmpty();
            now++;
            assertThat(propose(2, behind.sequence()).state()).isEqualTo(State.GRANTED);
        }

        @Test
        void aSequenceBehindTheClockOrFarAheadOfItIsNotHad() {
            assertThat(propose(1, now - 1).sequence()).isEqualTo(now);
            assertThat(propose(1, now + LEASE + 1).state()).isEqualTo(State.BEHIND);
            assertThat(all()).isEmpty();
            assertThat(propose(1, now).state()).isEqualTo(State.GRANTED);
        }

        @Test
        void sentAgainItFindsItsClaimAndRenewsIt() {
            run(lock(1));
            run(lock(2));
            long sequence = claim(2).sequence();
            now += SECOND;
            Answer answer = run(lock(2));
            assertThat(answer.sequence()).isEqualTo(sequence);
            assertThat(answer.deadline()).isEqualTo(now + LEASE);
            assertThat(all()).containsExactly(1L, 2L);
        }

        @Test
        void ifFreeIsBusyWhenHeldAndWhenSomebodyWaitsAndEntersElse() {
            assertThat(run(enter(1, 5, 2, 0, true)).state()).isEqualTo(State.GRANTED);
            assertThat(run(enter(2, 5, 4, 0, true)).state()).isEqualTo(State.BUSY);
            run(permits(3, 4));
            assertThat(run(enter(4, 5, 1, 0, true)).state()).isEqualTo(State.BUSY); // would fit, but 3 waits
            assertThat(all()).containsExactly(1L, 3L);
        }

        @Test
        void anotherCapacityIsRefusedWithBothFigures() {
            run(permits(1, 1));
            Answer answer = run(enter(2, 8, 1, 0, false));
            assertThat(answer.state()).isEqualTo(State.REFUSED);
            assertThat(answer.refusal())
                    .isEqualTo("it is a semaphore of 5 permits, and is asked for as a semaphore of 8 permits:"
                            + " give the same number, resize it, or use joinSemaphore, which needs none");
            assertThat(run(lock(3)).refusal())
                    .isEqualTo("it is a semaphore of 5 permits, and is asked for as a lock or latch:"
                            + " take another name for one of the two");
        }

        @Test
        void aWeightAboveTheCapacityIsRefusedWithBothFigures() {
            Answer answer = run(permits(1, 6));
            assertThat(answer.refusal())
                    .isEqualTo("it is a semaphore of 5 permits, too few for 6: ask for fewer, or resize it");
            assertThat(state.claims()).isEmpty();
        }

        @Test
        void anEmptyResourceTakesAnotherCapacityUnlessItWasResized() {
            run(permits(1, 1));
            run(leave(1));
            assertThat(run(lock(2)).state()).isEqualTo(State.GRANTED);
            run(leave(2));
            run(Request.Resize.of("r", 3));
            assertThat(run(lock(3)).state()).isEqualTo(State.REFUSED);
        }

        @Test
        void sequencesRiseThoughTheClockGoesBack() {
            long first = run(lock(1)).sequence();
            run(leave(1));
            now -= 10 * SECOND;
            assertThat(run(lock(2)).sequence()).isEqualTo(first + 1);
        }
    }

    @Nested
    class Sticky {
        @Test
        void itsOwnerIsToldWhenAnotherQueuesUpAndAgainWheneverThatOneAsks() {
            run(sticky(1));
            run(lock(2));
            assertThat(wanted).containsExactly(id(1));
            run(lock(3));
            assertThat(wanted).as("it knows already").isEmpty();
            run(renew(2));
            assertThat(wanted).containsExactly(id(1));
            run(renew(3));
            assertThat(wanted).isEmpty();
        }

        @Test
        void itsOwnerIsToldOfOneWhoWantedItAtOnceOrNotAtAll() {
            run(sticky(1));
            assertThat(run(enter(2, Resource.WHOLE, Resource.WHOLE, 0, true)).state())
                    .isEqualTo(State.BUSY);
            assertThat(wanted).containsExactly(id(1));
        }

        @Test
        void whoIsGrantedItIsToldAtOnceIfOthersWait() {
            run(lock(1));
            run(sticky(2));
            run(lock(3));
            Step step = leave(1).applyTo(state, now);
            assertThat(step.wanted()).isEmpty();
            assertThat(step.pushes("r")).singleElement().matches(push -> push.granted() && push.wanted());
        }

        @Test
        void nobodyElseIsTold() {
            run(lock(1));
            run(lock(2));
            assertThat(wanted).isEmpty();
        }

        @Test
        void theNextSequenceComesAfterAllThatItHas() {
            long first = run(sticky(1)).sequence();
            long second = run(fresh(1)).sequence();
            assertThat(second).isEqualTo(first + Claim.STICKY_SEQUENCES);
            run(leave(1));
            assertThat(run(lock(2)).sequence()).isEqualTo(second + Claim.STICKY_SEQUENCES);
        }
    }

    @Nested
    class Weights {
        @Test
        void aClaimForMuchIsNotOvertakenByClaimsForLittle() {
            run(permits(1, 3));
            run(permits(2, 4));
            run(permits(3, 1));
            assertThat(granted()).containsExactly(1L);
            run(leave(1));
            assertThat(granted()).containsExactly(2L, 3L);
            assertThat(pushed).containsExactly(id(2), id(3));
        }

        @Test
        void laterReadersDoNotOvertakeAWaitingWriter() {
            run(read(1));
            run(read(2));
            run(lock(3));
            run(read(4));
            assertThat(granted()).containsExactly(1L, 2L);
            run(leave(1));
            assertThat(granted()).containsExactly(2L);
            run(leave(2));
            assertThat(granted()).containsExactly(3L);
            run(leave(3));
            assertThat(granted()).containsExactly(4L);
        }

        @Test
        void aDowngradeGrantsReadersInTheSameStep() {
            run(lock(1));
            run(read(2));
            Answer answer = run(reweight(1, 1));
            assertThat(answer.reweights()).isEqualTo(1);
            assertThat(granted()).containsExactly(1L, 2L);
            assertThat(pushed).containsExactly(id(2));
        }

        @Test
        void anUpgradeIsRefusedWhileAnotherReaderHoldsAndSaysWhatThereIs() {
            run(read(1));
            run(read(2));
            Answer answer = run(reweight(1, Resource.WHOLE));
            assertThat(answer.refusal())
                    .isEqualTo(
                            "it is a lock or latch, of which others have 1, and no room is left for who wants all of it");
            assertThat(answer.state()).isEqualTo(State.GRANTED);
            run(leave(2));
            assertThat(run(reweight(1, Resource.WHOLE)).refusal()).isNull();
        }

        @Test
        void aReweightThatHasSeenTooLittleChangesNothing() {
            run(lock(1));
            Request.Reweight down = reweight(1, 1);
            run(down);
            run(reweight(1, Resource.WHOLE));
            run(down); // a late copy
            assertThat(claim(1).weight()).isEqualTo(Resource.WHOLE);
        }

        @Test
        void aWaitingClaimIsNotReweighted() {
            run(lock(1));
            run(lock(2));
            run(reweight(2, 1));
            assertThat(claim(2).weight()).isEqualTo(Resource.WHOLE);
        }
    }

    @Nested
    class YieldAndFresh {
        @Test
        void aYieldForgetsSinceWhenItWasHeldAndAFreshSequenceDoesNot() {
            run(lock(1));
            run(Request.Describe.of("r", id(1), claim(1).sequence(), OWNER.withSince(now)));
            run(fresh(1));
            assertThat(claim(1).owner().since()).isEqualTo(now);
            run(lock(2));
            run(yielding(1));
            run(leave(2));
            assertThat(granted()).containsExactly(1L);
            assertThat(claim(1).owner()).isEqualTo(OWNER);
        }

        @Test
        void behindTheOthersIfSomebodyWaits() {
            run(lock(1));
            run(lock(2));
            Answer answer = run(yielding(1));
            assertThat(answer.state()).isEqualTo(State.WAITING);
            assertThat(all()).containsExactly(2L, 1L);
            assertThat(pushed).containsExactly(id(2));
        }

        @Test
        void inPlaceWithAFreshSequenceIfNobodyWaits() {
            long before = run(lock(1)).sequence();
            Answer answer = run(yielding(1));
            assertThat(answer.state()).isEqualTo(State.GRANTED);
            assertThat(answer.sequence()).isGreaterThan(before);
        }

        @Test
        void aLateCopyChangesNothingAndTellsThePresentState() {
            run(lock(1));
            Request.Yield copy = yielding(1);
            run(copy);
            run(lock(2));
            Resource before = state;
            assertThat(run(copy).state()).isEqualTo(State.GRANTED);
            assertThat(state).isSameAs(before);
        }

        @Test
        void whoWaitsOrHasAFixedLeaseKeepsItsPlace() {
            run(enter(1, Resource.WHOLE, Resource.WHOLE, 5 * SECOND, false));
            run(lock(2));
            run(yielding(1));
            run(yielding(2));
            assertThat(all()).containsExactly(1L, 2L);
        }

        @Test
        void freshIsGivenOnlyIfNobodyWaits() {
            long first = run(lock(1)).sequence();
            long second = run(fresh(1)).sequence();
            assertThat(second).isGreaterThan(first);
            run(lock(2));
            assertThat(run(fresh(1)).sequence()).isEqualTo(second);
        }
    }

    @Nested
    class PickUp {
        @Test
        void aHandedOverGrantHoldsForThePickUpTimeUntilItsOwnerIsHeardOf() {
            run(lock(1));
            run(lock(2));
            run(leave(1));
            assertThat(claim(2).pending()).isTrue();
            assertThat(claim(2).deadline()).isEqualTo(now + Resource.PICK_UP);
            run(renew(2));
            assertThat(claim(2).pending()).isFalse();
            assertThat(claim(2).deadline()).isEqualTo(now + LEASE);
        }

        @Test
        void itNeverOutlastsTheWaitingLease() {
            run(lock(2));
            run(lock(3));
            long deadline = claim(3).deadline();
            now += 20 * SECOND;
            run(renew(2));
            now = deadline - SECOND;
            run(leave(2));
            assertThat(claim(3).deadline()).isEqualTo(deadline);
        }

        @Test
        void aFixedLeaseStartsAtPickUpAndIsThenNeverRenewed() {
            run(lock(1));
            run(enter(2, Resource.WHOLE, Resource.WHOLE, 5 * SECOND, false));
            run(leave(1));
            assertThat(claim(2).deadline()).isEqualTo(now + Resource.PICK_UP);
            now += SECOND;
            run(renew(2));
            long deadline = now + 5 * SECOND;
            assertThat(claim(2).deadline()).isEqualTo(deadline);
            now += SECOND;
            assertThat(run(renew(2)).deadline()).isEqualTo(deadline);
        }

        @Test
        void aFixedLeaseShorterThanThePickUpTimeIsItsPickUpTime() {
            run(lock(1));
            run(enter(2, Resource.WHOLE, Resource.WHOLE, SECOND / 2, false));
            run(leave(1));
            assertThat(claim(2).deadline()).isEqualTo(now + SECOND / 2);
        }

        @Test
        void aFixedLeaseRunsAtOnceIfGrantedAtOnce() {
            Answer answer = run(enter(1, Resource.WHOLE, Resource.WHOLE, 5 * SECOND, false));
            assertThat(answer.deadline()).isEqualTo(now + 5 * SECOND);
        }

        @Test
        void whatIsNotPickedUpIsDroppedAndTheNextGrantedInTheSameStep() {
            run(lock(1));
            run(lock(2));
            run(lock(3));
            run(leave(1));
            now += Resource.PICK_UP;
            assertThat(run(renew(3)).state()).isEqualTo(State.GRANTED);
            assertThat(all()).containsExactly(3L);
        }

        @Test
        void skipDropsAGrantThatIsNotPickedUpAndNothingElse() {
            run(lock(1));
            run(lock(2));
            run(lock(3));
            run(Request.Skip.of("r", id(1), claim(1).sequence())); // holds
            run(Request.Skip.of("r", id(3), claim(3).sequence())); // waits
            assertThat(all()).containsExactly(1L, 2L, 3L);
            run(leave(1));
            Request.Skip skip = Request.Skip.of("r", id(2), claim(2).sequence());
            assertThat(run(skip).state()).isEqualTo(State.GONE);
            assertThat(granted()).containsExactly(3L);
            assertThat(pushed).containsExactly(id(3));
        }
    }

    @Nested
    class Ends {
        @Test
        void leaveIsFinalAndSaysWhetherThereWasAnything() {
            run(lock(1));
            assertThat(run(leave(1)).state()).isEqualTo(State.LEFT);
            assertThat(run(leave(1)).state()).isEqualTo(State.GONE);
        }

        @Test
        void anUnclearLeaveRefusesALateEnterForAMinute() {
            run(Request.Leave.of("r", id(1), true));
            assertThat(run(lock(1)).refusal()).isEqualTo("the claim was ended before it entered");
            assertThat(run(lock(2)).state()).isEqualTo(State.GRANTED);
            now += Resource.MEMORY;
            assertThat(run(lock(1)).state()).isEqualTo(State.GRANTED);
        }

        @Test
        void expiryHappensInsideWhicheverOperationComesNext() {
            run(lock(1));
            now += SECOND;
            run(lock(2));
            now += LEASE - SECOND;
            List<Request> others = List.of(
                    lock(3),
                    leave(3),
                    renew(2),
                    yielding(2),
                    reweight(2, 1),
                    Request.Skip.of("r", id(3), 1),
                    Request.Resize.of("r", Resource.WHOLE));
            for (Request request : others) {
                Step step = request.applyTo(state, now);
                assertThat(step.next().claims()).as(request.toString()).noneMatch(c -> c.id().equals(id(1)));
                assertThat(step.next().holders()).as(request.toString()).anyMatch(c -> c.id().equals(id(2)));
            }
        }

        @Test
        void aRenewalThatComesTooLateFindsNothing() {
            run(lock(1));
            Request.Renew late = renew(1);
            now += LEASE;
            assertThat(run(late).state()).isEqualTo(State.GONE);
        }

        @Test
        void aRenewalNeverShortensALease() {
            long deadline = run(lock(1)).deadline();
            assertThat(run(Request.Renew.of("r", id(1), claim(1).sequence(), SECOND, 0, false))
                            .deadline())
                    .isEqualTo(deadline);
        }

        @Test
        void evictEndsEveryHolderTellsThemAndGrantsTheNext() {
            run(read(1));
            run(read(2));
            run(lock(3));
            assertThat(run(Request.Evict.of("r")).state()).isEqualTo(State.LEFT);
            assertThat(ended).containsExactly(id(1), id(2));
            assertThat(pushed).containsExactly(id(3));
            assertThat(granted()).containsExactly(3L);
        }

        @Test
        void evictOfAFreeLockFindsNothing() {
            assertThat(run(Request.Evict.of("r")).state()).isEqualTo(State.GONE);
        }
    }

    @Nested
    class Resize {
        @Test
        void aLargerCapacityGrantsThoseWhoFitNow() {
            run(permits(1, 5));
            run(permits(2, 2));
            run(Request.Resize.of("r", 7));
            assertThat(granted()).containsExactly(1L, 2L);
            assertThat(pushed).containsExactly(id(2));
        }

        @Test
        void aSmallerOneRevokesNobodyAndEndsWaitersThatCanNoLongerFit() {
            run(permits(1, 3));
            run(permits(2, 2));
            run(permits(3, 4));
            run(permits(4, 2));
            run(Request.Resize.of("r", 2));
            assertThat(granted()).containsExactly(1L, 2L);
            assertThat(ended).containsExactly(id(3));
            assertThat(all()).containsExactly(1L, 2L, 4L);
            run(leave(1));
            assertThat(granted()).containsExactly(2L);
            run(leave(2));
            assertThat(granted()).containsExactly(4L);
        }

        @Test
        void aHolderThatAsksForAFreshSequenceKeepsItsGrant() {
            run(permits(1, 3));
            run(permits(2, 2));
            run(Request.Resize.of("r", 2));
            long sequence = claim(1).sequence();
            assertThat(run(fresh(1)).sequence()).isEqualTo(sequence);
            run(fresh(2));
            assertThat(granted()).containsExactly(1L, 2L);
        }

        @Test
        void aWholeLockStaysOneWhileClaimsAreThere() {
            run(lock(1));
            run(lock(2));
            Answer answer = run(Request.Resize.of("r", 3));
            assertThat(answer.state()).isEqualTo(State.REFUSED);
            assertThat(answer.refusal()).contains("a lock or latch").contains("3");
            assertThat(all()).containsExactly(1L, 2L);
            assertThat(state.resized()).isFalse();
            run(leave(1));
            run(leave(2));
            assertThat(run(Request.Resize.of("r", 3)).state()).isEqualTo(State.GONE);
            assertThat(state.capacity()).isEqualTo(3);
        }

        @Test
        void whatWasSetIsForgottenOnceNobodyIsThere() {
            assertThat(run(Request.Resize.of("r", 0)).state()).isEqualTo(State.GONE);
            run(Request.Resize.of("r", 5));
            run(permits(1, 5));
            assertThat(run(Request.Resize.of("r", 0)).state()).isEqualTo(State.GONE);
            assertThat(state.resized()).isTrue();
            assertThat(granted()).containsExactly(1L);
            run(leave(1));
            assertThat(run(Request.Resize.of("r", 0)).state()).isEqualTo(State.LEFT);
            assertThat(run(Request.Resize.of("r", 0)).state()).isEqualTo(State.GONE);
            assertThat(run(lock(2)).state()).isEqualTo(State.GRANTED);
            run(leave(2));
            assertThat(state.isForgettable(now + 2 * Resource.MEMORY)).isTrue();
        }

        @Test
        void aHolderThatNoLongerFitsEndsWhenItYields() {
            run(permits(1, 5));
            run(Request.Resize.of("r", 2));
            assertThat(run(yielding(1)).state()).isEqualTo(State.GONE);
            assertThat(ended).containsExactly(id(1));
        }
    }

    @Nested
    class Memory {
        @Test
        void anEmptyResourceIsForgottenAfterAMinuteAndNotBeforeTheClockHasPassedItsLastSequence() {
            run(lock(1));
            assertThat(state.isForgettable(now + Resource.MEMORY)).isFalse();
            run(leave(1));
            assertThat(state.isForgettable(now)).isFalse();
            assertThat(state.isForgettable(now + Resource.MEMORY)).isTrue();
            Resource ahead = Resource.of(now + 2 * Resource.MEMORY, 1).withKeepUntil(now);
            assertThat(ahead.isForgettable(now + Resource.MEMORY)).isFalse();
        }

        @Test
        void aTombstoneAndACapacitySetOnPurposeKeepIt() {
            run(Request.Leave.of("r", id(1), true));
            now += SECOND;
            assertThat(state.isForgettable(now)).isFalse();
            assertThat(state.isForgettable(now + Resource.MEMORY)).isTrue();
            run(Request.Resize.of("r", 3));
            assertThat(state.isForgettable(now + 2 * Resource.MEMORY)).isFalse();
        }

        @Test
        void whatChangesNothingGivesBackTheSameObject() {
            run(lock(1));
            Resource before = state;
            run(leave(9));
            assertThat(state).isSameAs(before);
        }
    }

    @Nested
    class Rubbish {
        private void refused(long last, int capacity, int granted, Claim... claims) {
            assertThatThrownBy(() -> Resource.of(last, capacity).withClaims(List.of(claims), granted))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("not a resource");
        }

        private Claim claim(int weight, long sequence) {
            return Claim.of(id((int) sequence), weight, sequence, 9, OWNER);
        }

        @Test
        void statesThatCannotBeAreRefused() {
            refused(9, -1, 0);
            refused(9, 1, -1);
            refused(9, 1, 1);
            refused(9, 1, 0, claim(0, 1)); // no weight
            refused(9, 1, 0, claim(1, 2), claim(1, 2)); // one sequence twice
            refused(9, 1, 0, claim(1, 2), claim(1, 1)); // out of order
            refused(9, 1, 0, claim(1, 10)); // above the last
        }
    }
}
