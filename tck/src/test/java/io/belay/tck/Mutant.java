package io.belay.tck;

import static io.belay.tck.Faults.about;
import static io.belay.tck.Faults.after;
import static io.belay.tck.Faults.answer;
import static io.belay.tck.Faults.answers;
import static io.belay.tck.Faults.atTimes;
import static io.belay.tck.Faults.claims;
import static io.belay.tck.Faults.copy;
import static io.belay.tck.Faults.deadline;
import static io.belay.tck.Faults.enter;
import static io.belay.tck.Faults.find;
import static io.belay.tck.Faults.granting;
import static io.belay.tck.Faults.isHeld;
import static io.belay.tck.Faults.isWaiting;
import static io.belay.tck.Faults.last;
import static io.belay.tck.Faults.mute;
import static io.belay.tck.Faults.names;
import static io.belay.tck.Faults.next;
import static io.belay.tck.Faults.on;
import static io.belay.tck.Faults.state;
import static io.belay.tck.Faults.swapLast;
import static io.belay.tck.Faults.times;
import static io.belay.tck.Faults.together;
import static io.belay.tck.Faults.weights;
import static io.belay.tck.Faults.with;
import static io.belay.tck.Faults.withoutTombstones;

import io.belay.spi.Answer.State;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A store with one mistake in it, and the test that must notice. */
enum Mutant {
    STRANGER_MAY_RELEASE(
            StoreTck.SingleRequests.class,
            "aLeaveOfNobodysClaimTakesNothingAway",
            on(
                    Request.Leave.class,
                    (leave, before) -> find(before, leave.id()) != null || before.granted() == 0
                            ? leave
                            : Request.Leave.of(
                                    leave.resource(), before.claims().get(0).id(), false))),
    TOKENS_START_ANEW(StoreTck.Leases.class, "tokensRiseWhateverEndsALease", (request, before, now) -> {
        Step step = request.applyTo(before, now);
        if (!(request instanceof Request.Enter enter)
                || !before.claims().isEmpty()
                || step.next().claims().isEmpty()) {
            return step;
        }
        Resource anew = last(claims(step.next(), claim -> copy(claim, claim.id(), 1, claim.deadline())), 1);
        return answer(next(step, anew), about(step.answer(), anew, enter.id()));
    }),
    TOKENS_FOLLOW_THE_CLOCK_BACK(
            StoreTck.BadServer.class,
            "tokensRiseAndLocksAreHandedOverThoughTheClockJumps",
            (request, before, now) -> request.applyTo(before.claims().isEmpty() ? last(before, 0) : before, now)),
    EXPIRY_IGNORED(
            StoreTck.Leases.class,
            "aDeadHolderKeepsTheLockNoLongerThanItsLease",
            (request, before, now) -> request.applyTo(
                    claims(before, claim -> claim.deadline() <= now ? deadline(claim, now + 1_000_000) : claim), now)),
    PICK_UP_NOT_AWAITED(
            StoreTck.Leases.class,
            "aDeadWaiterIsPassedOver",
            (request, before, now) -> request.applyTo(
                    claims(before, claim -> claim.pending() ? deadline(claim, now + Resource.PICK_UP) : claim), now)),
    WAITER_FORGOTTEN(
            StoreTck.Waiting.class,
            "callersOfDifferentClientsAreServedInTheOrderInWhichTheyCame",
            after((request, before, step) -> {
                if (!(request instanceof Request.Leave) || step.granted().isEmpty()) {
                    return step;
                }
                List<Claim> others = new ArrayList<>(step.next().claims());
                others.removeAll(step.granted());
                return mute(next(step, with(step.next(), others, 0)));
            })),
    ORDER_BROKEN(
            StoreTck.Waiting.class,
            "callersOfDifferentClientsAreServedInTheOrderInWhichTheyCame",
            after((request, before, step) -> {
                Resource next = step.next();
                if (!(request instanceof Request.Enter enter)
                        || find(before, enter.id()) != null
                        || next.claims().size() - next.granted() < 2) {
                    return step;
                }
                Resource swapped = swapLast(next, next.granted());
                return answer(next(step, swapped), about(step.answer(), swapped, enter.id()));
            })),
    READERS_OVERTAKE(
            StoreTck.ReadWriteLocks.class, "readersShareAndAWriterHasItAlone", after((request, before, step) -> {
                Resource next = step.next();
                if (!(request instanceof Request.Enter enter)
                        || enter.spec().weight() > 1
                        || find(before, enter.id()) != null
                        || next.claims().size() - next.granted() != 2
                        || next.holders().stream().anyMatch(claim -> claim.weight() > 1)) {
                    return step;
                }
                Resource swapped = swapLast(next, next.granted() + 1);
                return answer(next(step, swapped), about(step.answer(), swapped, enter.id()));
            })),
    GRANTS_TWO(StoreTck.Locks.class, "aLockIsHeldByOneAtATime", after((request, before, step) -> {
        Resource next = step.next();
        if (!(request instanceof Request.Enter enter) || next.claims().size() != 2 || next.granted() != 1) {
            return step;
        }
        Resource both = with(next, next.claims(), 2);
        return answer(next(step, both), about(step.answer(), both, enter.id()));
    })),
    LATE_ENTER_OBEYED(StoreTck.Waiting.class, "whoDoesNotWaitLeavesNothingBehind", (request, before, now) -> {
        Step step = request.applyTo(before, now);
        Claim left = request instanceof Request.Leave leave ? find(before, leave.id()) : null;
        if (left == null) {
            return step;
        }
        Request copy = Request.Enter.of(
                request.resource(),
                left.id(),
                ClaimSpec.of(before.capacity(), left.weight(), 30_000_000),
                0,
                left.owner());
        return next(step, copy.applyTo(step.next(), now).next());
    }),
    LATE_YIELD_OBEYED(
            StoreTck.SingleRequests.class,
            "aLateYieldDoesNotGiveUpWhatWasHadSince",
            on(Request.Yield.class, (yield, before) -> {
                Claim claim = find(before, yield.id());
                return claim == null
                        ? yield
                        : Request.Yield.of(
                                yield.resource(), yield.id(), claim.sequence(), yield.lease(), yield.localWaiters());
            })),
    LATE_REWEIGHT_OBEYED(
            StoreTck.SingleRequests.class,
            "aLateReweightDoesNotUndoAnother",
            on(Request.Reweight.class, (reweight, before) -> {
                Claim claim = find(before, reweight.id());
                return claim == null
                        ? reweight
                        : Request.Reweight.of(
                                reweight.resource(),
                                reweight.id(),
                                claim.sequence(),
                                claim.reweights(),
                                reweight.weight());
            })),
    LATE_FIX_OBEYED(
            StoreTck.FixedEnds.class,
            "anEndIsFixedEarlierOrLaterAndNothingElseMovesIt",
            on(Request.Fix.class, (fix, before) -> {
                Claim claim = find(before, fix.id());
                return claim == null
                        ? fix
                        : Request.Fix.of(
                                fix.resource(),
                                fix.id(),
                                fix.sequence(),
                                Math.max(fix.reweights(), claim.reweights()),
                                fix.lease());
            })),
    FIX_ONLY_LENGTHENS(
            StoreTck.FixedEnds.class,
            "anEndIsFixedEarlierOrLaterAndNothingElseMovesIt",
            after((request, before, step) -> {
                Claim claim = request instanceof Request.Fix fix ? find(before, fix.id()) : null;
                if (claim == null) {
                    return step;
                }
                Resource longer = claims(
                        step.next(),
                        now -> now.id().equals(claim.id())
                                ? deadline(now, Math.max(now.deadline(), claim.deadline()))
                                : now);
                return answer(next(step, longer), about(step.answer(), longer, claim.id()));
            })),
    WAITER_FIXED(StoreTck.FixedEnds.class, "theEndOfAClaimThatWaitsIsNotFixed", after((request, before, step) -> {
        if (!(request instanceof Request.Fix fix) || !isWaiting(step.next(), fix.id())) {
            return step;
        }
        Resource fixed = claims(
                step.next(),
                claim -> claim.id().equals(fix.id())
                        ? deadline(claim, step.answer().time() + fix.lease())
                        : claim);
        return answer(next(step, fixed), about(step.answer(), fixed, fix.id()));
    })),
    FIXED_CLAIM_RENEWED(
            StoreTck.FixedEnds.class, "aClaimWhoseEndWasFixedEndsThenThoughItIsRenewed", (request, before, now) -> {
                Step step = request.applyTo(before, now);
                if (!(request instanceof Request.Renew renew) || !isHeld(step.next(), renew.id())) {
                    return step;
                }
                Resource longer = claims(
                        step.next(),
                        claim -> claim.id().equals(renew.id()) ? deadline(claim, now + renew.lease()) : claim);
                return answer(next(step, longer), about(step.answer(), longer, renew.id()));
            }),
    LATE_RENEWAL_OBEYED(
            StoreTck.SingleRequests.class,
            "aLateRenewalDoesNotLengthenWhatIsAnothers",
            on(Request.Renew.class, (renew, before) -> {
                Claim claim = find(before, renew.id());
                return claim == null
                        ? renew
                        : Request.Renew.of(
                                renew.resource(),
                                renew.id(),
                                claim.sequence(),
                                renew.lease(),
                                renew.localWaiters(),
                                renew.fresh());
            })),
    TOMBSTONES_FORGOTTEN(
            StoreTck.SingleRequests.class,
            "anEnterThatComesAfterItsUnclearLeaveIsRefused",
            (request, before, now) -> request.applyTo(withoutTombstones(before), now)),
    ENTERS_TWICE(
            StoreTck.SingleRequests.class,
            "anEnterThatIsSentTwiceEntersOnce",
            on(
                    Request.Enter.class,
                    (enter, before) -> find(before, enter.id()) == null
                            ? enter
                            : enter(
                                    enter,
                                    ClaimId.of(enter.id().client(), enter.id().number() + 1_000_000),
                                    enter.spec().capacity(),
                                    enter.spec().weight(),
                                    false))),
    DEADLINE_TOLD_TOO_LATE(
            StoreTck.Model.class, "equalsTheReferenceModel", answers((request, answer) -> times(answer, 0, 3_000_000))),
    DEADLINE_COUNTED_FROM_RECEIPT(
            StoreTck.Model.class, "equalsTheReferenceModel", answers((request, answer) -> times(answer, 2_000_000, 0))),
    NEVER_PUSHES(
            StoreTck.Coordination.class,
            "whoObservesIsToldOfEveryTermAndNeverLeads",
            after((request, before, step) -> mute(step))),
    PUSHES_TO_THE_WRONG_CLAIM(
            StoreTck.SingleRequests.class,
            "aReleasePushesTheGrantToItsOwnerAlone",
            after((request, before, step) -> granting(
                    step,
                    step.granted().stream()
                            .map(claim -> copy(
                                    claim,
                                    ClaimId.of(claim.id().client(), claim.id().number() + 1),
                                    claim.sequence(),
                                    claim.deadline()))
                            .toList()))),
    PUSHES_TO_THE_FIRST_ALONE(
            StoreTck.SingleRequests.class,
            "aReleaseThatServesTwoIsToldToBoth",
            after((request, before, step) ->
                    granting(step, step.granted().stream().limit(1).toList()))),
    WAKES_NOBODY_AFTER_A_CANCELLED_WAIT(
            StoreTck.SingleRequests.class,
            "aWaiterThatLeavesLetsThoseInWhomItKeptOut",
            after((request, before, step) ->
                    request instanceof Request.Leave leave && isWaiting(before, leave.id()) ? mute(step) : step)),
    CANCELLED_WAIT_STAYS(
            StoreTck.Waiting.class,
            "aTimedWaitGivesUpAndLeavesTheQueue",
            after((request, before, step) -> request instanceof Request.Leave leave && isWaiting(before, leave.id())
                    ? mute(next(step, before))
                    : step)),
    TRY_ENTERS_THE_QUEUE(
            StoreTck.Model.class,
            "equalsTheReferenceModel",
            on(
                    Request.Enter.class,
                    (enter, before) -> enter(
                            enter,
                            enter.id(),
                            enter.spec().capacity(),
                            enter.spec().weight(),
                            false))),
    RELEASE_IGNORED(
            StoreTck.Locks.class,
            "aLockIsHeldByOneAtATime",
            after((request, before, step) -> request instanceof Request.Leave leave && isHeld(before, leave.id())
                    ? mute(next(step, before))
                    : step)),
    RELEASE_TOLD_AS_LOSS(
            StoreTck.Locks.class,
            "aLockIsHeldByOneAtATime",
            answers((request, answer) -> request instanceof Request.Leave ? state(answer, State.GONE) : answer)),
    LOSS_TOLD_AS_RELEASE(
            StoreTck.BadNetwork.class,
            "aForcedReleaseThatWasNotHeardOfIsToldByTheRelease",
            answers((request, answer) -> request instanceof Request.Leave ? state(answer, State.LEFT) : answer)),
    RENEWAL_TOLD_AND_NOT_MADE(
            StoreTck.Leases.class,
            "aHeldLeaseIsRenewedPastItsEndAndSoIsAWait",
            after((request, before, step) -> request instanceof Request.Renew renew && find(before, renew.id()) != null
                    ? next(step, before)
                    : step)),
    RENEWALS_FAIL_TOGETHER(StoreTck.SingleRequests.class, "aDamagedResourceFailsNobodyElsesRenewal", together()),
    FIXED_LEASE_RENEWED(StoreTck.FixedEnds.class, "aFixedLeaseIsNeverLengthened", (request, before, now) -> {
        Step step = request.applyTo(before, now);
        if (!(request instanceof Request.Renew renew) || !isHeld(step.next(), renew.id())) {
            return step;
        }
        Resource longer = claims(
                step.next(), claim -> claim.id().equals(renew.id()) ? deadline(claim, now + renew.lease()) : claim);
        return answer(next(step, longer), about(step.answer(), longer, renew.id()));
    }),
    LONG_LEASE_CUT(
            StoreTck.FixedEnds.class,
            "anHourIsAnHour",
            on(
                    Request.Enter.class,
                    (enter, before) -> Request.Enter.of(
                            enter.resource(),
                            enter.id(),
                            enter.spec().withFixedLease(enter.spec().fixedLease() % Integer.MAX_VALUE),
                            enter.localWaiters(),
                            enter.owner()))),
    DOWNGRADE_LOST(
            StoreTck.ReadWriteLocks.class,
            "aWriterThatBecomesAReaderLetsTheReadersIn",
            after((request, before, step) -> request instanceof Request.Reweight ? mute(next(step, before)) : step)),
    CAPACITY_UNCHECKED(
            StoreTck.SingleRequests.class,
            "anotherCapacityIsRefusedWithBothFigures",
            on(
                    Request.Enter.class,
                    (enter, before) -> before.claims().isEmpty()
                            ? enter
                            : enter(
                                    enter,
                                    enter.id(),
                                    before.capacity(),
                                    enter.spec().weight(),
                                    enter.spec().ifFree()))),
    WEIGHTS_IGNORED(StoreTck.Coordination.class, "permitsAreHadAllOrNoneAndInOrder", weights(weight -> 1)),
    WEIGHTS_CUT(
            StoreTck.SingleRequests.class,
            "aHundredThousandPermitsAreCounted",
            weights(weight -> weight % Short.MAX_VALUE)),
    RESIZE_IGNORED(
            StoreTck.Coordination.class,
            "morePermitsServeThoseWhoWait",
            after((request, before, step) -> request instanceof Request.Resize ? mute(next(step, before)) : step)),
    DELETION_IGNORED(
            StoreTck.Semaphores.class,
            "aNumberThatWasSetIsForgottenOnceNobodyUsesIt",
            after((request, before, step) -> request instanceof Request.Resize resize && resize.capacity() == 0
                    ? mute(next(step, before))
                    : step)),
    FORCE_IGNORED(
            StoreTck.Leases.class,
            "aForcedReleaseIsToldAndServesTheNext",
            after((request, before, step) -> request instanceof Request.Evict ? mute(next(step, before)) : step)),
    FORCE_NOT_TOLD(
            StoreTck.SingleRequests.class,
            "whatIsEndedByForceIsTold",
            after((request, before, step) ->
                    Step.of(step.next(), step.answer(), step.granted(), step.wanted(), List.of()))),
    STICKY_KEEPER_NOT_TOLD(
            StoreTck.Locks.class,
            "aStickyLockGoesToWhoeverWantsIt",
            after((request, before, step) ->
                    Step.of(step.next(), step.answer(), step.granted(), List.of(), step.ended()))),
    PICKED_UP_GRANT_SKIPPED(
            StoreTck.SingleRequests.class,
            "onlyAGrantThatWasNotPickedUpIsSkipped",
            on(Request.Skip.class, (skip, before) -> Request.Leave.of(skip.resource(), skip.id(), false))),
    NAMES_FOLDED(StoreTck.Names.class, "hostileNamesAreLocksOfTheirOwn", names(name -> name.toLowerCase(Locale.ROOT))),
    NAMES_TRIMMED(StoreTck.Names.class, "hostileNamesAreLocksOfTheirOwn", names(String::strip)),
    NAMES_CUT(
            StoreTck.Names.class,
            "hostileNamesAreLocksOfTheirOwn",
            names(name -> name.substring(0, Math.min(255, name.length())))),
    ORDER_BROKEN_AT_TIMES(
            StoreTck.Waiting.class,
            "callersOfDifferentClientsAreServedInTheOrderInWhichTheyCame",
            atTimes(ORDER_BROKEN.fault)),
    HOLD_TOLD_AS_OVER_AT_TIMES(
            StoreTck.Waiting.class, "aTimedWaitThatIsServedInTimeHasTheLock", atTimes(after((request, before, step) -> {
                if (request instanceof Request.Leave leave && isHeld(before, leave.id())) {
                    return mute(next(step, before));
                }
                return request instanceof Request.Enter
                        ? Step.of(step.next(), step.answer(), step.granted(), step.wanted(), before.holders())
                        : step;
            }))),
    RELEASE_UNKNOWN_AT_TIMES(StoreTck.Locks.class, "aLockIsHeldByOneAtATime", atTimes((request, before, now) -> {
        if (request instanceof Request.Leave leave && isHeld(before, leave.id())) {
            throw StoreException.unusable("it is not said on purpose", null);
        }
        return request.applyTo(before, now);
    })),
    UNAVAILABLE_AT_TIMES(
            StoreTck.SingleRequests.class, "aReleasePushesTheGrantToItsOwnerAlone", atTimes((request, before, now) -> {
                throw StoreException.unreachable("it is not there on purpose", null);
            }));

    /** The nested class of {@link StoreTck}, and the method in it. */
    final Class<?> suite;

    final String test;
    final Fault fault;

    Mutant(Class<?> suite, String test, Fault fault) {
        this.suite = suite;
        this.test = test;
        this.fault = fault;
    }
}
