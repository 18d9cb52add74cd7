package io.belay.internal.machine;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The time limits of callers: when to ask the store for the last time before a wait is over, when it is over, when a hold is. A
 * wait whose answer is due in a moment still waits for that, and for the leave of a claim that nobody wants any more, so that
 * its caller has left the queue when it is told.
 */
final class TimeLimits {
    /** The time for which a client that tries again and again is content with an answer, in nanoseconds. */
    private static final long FRESH = 1_000_000_000;

    private final Machine machine;
    /** The callers that are to be looked at, by when, but for those that hold. */
    private final TreeSet<Caller> looks = new TreeSet<>(TimeLimits::compare);
    /** The holds that end, by when: each step looks at the first one, however many waits are due. */
    private final TreeSet<Caller> holds = new TreeSet<>(TimeLimits::compare);

    private int order;
    /** Those whose time is over and who still wait for an answer, in that order. There are hardly ever any. */
    private Set<Caller> overdue = Collections.emptySet();

    TimeLimits(Machine machine) {
        this.machine = machine;
    }

    /** Has a caller looked at then. */
    void set(Caller caller, long at) {
        end(caller);
        caller.lookAt = at;
        caller.lookOrder = ++order;
        (caller.holding() == null ? looks : holds).add(caller);
    }

    private static int compare(Caller one, Caller other) {
        int byTime = Long.signum(one.lookAt - other.lookAt);
        return byTime != 0 ? byTime : Integer.compare(one.lookOrder, other.lookOrder);
    }

    /** Looks at a caller no more. */
    void end(Caller caller) {
        if (caller.lookAt != Caller.NEVER) {
            looks.remove(caller);
            holds.remove(caller);
            caller.lookAt = Caller.NEVER;
        }
    }

    /** Returns when to look at the first caller. */
    long due() {
        return Caller.earlier(due(looks), due(holds));
    }

    private static long due(TreeSet<Caller> callers) {
        return callers.isEmpty() ? Caller.NEVER : callers.first().lookAt;
    }

    /** Ends the holds whose time is over. */
    void endHolds() {
        while (!holds.isEmpty() && machine.now - due(holds) >= 0) {
            Caller caller = holds.first(); // which holds: whoever ends a hold takes it out first
            Turn turn = Objects.requireNonNull(caller.holding());
            turn.loseForGood(caller); // which ends the look last: what fails is done again
        }
    }

    /** Looks at all waits that are due. */
    void look() {
        while (!looks.isEmpty() && machine.now - due(looks) >= 0) {
            Caller caller = looks.first();
            int looked = caller.lookOrder;
            if (caller.isReleased()) {
                machine.keptInDoubt(caller);
            } else if (caller.leaving != null) {
                machine.end(caller, caller.leaving);
            } else if (machine.now - caller.limit >= 0) {
                timeIsOver(caller);
            } else {
                askBefore(caller);
            }
            if (caller.lookOrder == looked) { // last: what fails is done again
                end(caller);
            }
        }
    }

    /** Asks the store before the caller's time is over, so that it is known then whether others had the lock. */
    private void askBefore(Caller caller) {
        set(caller, caller.limit);
        Stay awaited = machine.awaited(caller);
        if (awaited != null) {
            Known last = awaited.known();
            boolean repeated = machine.keeping != null && machine.keeping.isRepeated;
            if (!repeated || last == null || machine.now - last.sent() >= FRESH) {
                machine.stays.ask(awaited);
            }
        }
    }

    /** Ends the waits of those whose answer has come since their time was over; returns whether there may be any. */
    boolean settle() {
        if (overdue.isEmpty()) {
            return false;
        }
        for (Caller caller : List.copyOf(overdue)) {
            Stay awaited = machine.awaited(caller);
            if (awaited != null && caller.due == null) {
                awaitAnswer(caller, awaited); // its own one, as the place that it came upon was left
            } else if (awaited == null || awaited != caller.due || !isAnswerDue(awaited)) {
                timeIsOver(caller);
            }
        }
        return true;
    }

    private boolean isAnswerDue(Stay stay) {
        return stay.isAnswerDue(machine.now, machine.client.patience());
    }

    private void timeIsOver(Caller caller) {
        overdue.remove(caller);
        if (!caller.isWaiting()) {
            return;
        }
        Stay awaited = machine.awaited(caller);
        // One that was entered since is for others: what this caller waited for was answered.
        boolean unknown = awaited != null
                && awaited.isOutOfTouch()
                && (caller.due == null || caller.due == awaited)
                && !(machine.client.lastFailure().isEmpty() && machine.effects.isBehindOthers(awaited));
        if (unknown && awaited != null && caller.due == null && isAnswerDue(awaited)) {
            awaitAnswer(caller, awaited);
        } else {
            Failure had = caller.turn == null ? Failure.NOT_HAD : caller.turn.timedOut();
            Failure how = unknown ? Failure.unavailable(machine.terms.name, machine.lastFailure(awaited)) : had;
            machine.depart(caller, how, unknown);
        }
    }

    private void awaitAnswer(Caller caller, Stay awaited) {
        overdue = overdue.isEmpty() ? new LinkedHashSet<>() : overdue;
        overdue.add(caller);
        caller.due = awaited;
        set(caller, awaited.answerDueUntil(machine.client.patience()));
    }

    /** Waits no longer for anything on behalf of a caller. */
    void forget(Caller caller) {
        end(caller);
        overdue.remove(caller);
    }
}
