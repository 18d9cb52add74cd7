package io.belay.internal.gate;

import io.belay.internal.claim.InFlight;
import io.belay.internal.claim.LiveClaim;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one gate whose time is over. The gate still waits for an answer that is due in a moment, and for the leave of
 * a claim that nobody wants any more, so that a waiter has left the queue when it is told. Guarded by the gate's lock.
 */
final class Overdue {
    private final Gate gate;
    /** Those who still wait for an answer. There are hardly ever any. */
    private Set<Waiter> waiters = Set.of();

    Overdue(Gate gate) {
        this.gate = gate;
    }

    /** Ends a wait whose time is over, unless it is to go on for a moment. */
    void end(Waiter waiter, long now) {
        if (waiter.outcome() == null) {
            Outcome outcome = waiter.queue == null ? Outcome.NOT_HAD : outcome(waiter, now);
            if (outcome != null) {
                gate.end(waiter, outcome);
            }
        }
    }

    /** Ends the waits of those whose answer has come; returns whether there were any who wait for one. */
    boolean endAnswered() {
        if (waiters.isEmpty()) {
            return false;
        }
        long now = gate.engine().time().nanos();
        for (Waiter waiter : List.copyOf(waiters)) {
            LiveClaim claim = waiter.queue == null ? null : gate.awaited(waiter);
            if (claim == null || !claim.isAnswerDue(now)) {
                waiters.remove(waiter);
                end(waiter, now);
            }
        }
        return true;
    }

    /** Returns what the waiter is told; null if it is not to be told yet. */
    private @Nullable Outcome outcome(Waiter waiter, long now) {
        LiveClaim claim = gate.awaited(waiter);
        boolean unknown = claim != null && claim.isOutOfTouch();
        if (unknown && claim != null && claim.isAnswerDue(now)) {
            waiters = waiters.isEmpty() ? new LinkedHashSet<>() : waiters;
            waiters.add(waiter);
            gate.engine().timers().schedule(waiter, claim.answerDueUntil());
            return null;
        }
        if (!waiters.isEmpty()) {
            waiters.remove(waiter);
        }
        waiter.left = gate.removeLate(waiter, now);
        if (unknown && claim != null) {
            return Messages.unavailable(gate.name(), claim.lastFailure());
        }
        if (waiter.left.isDone()) {
            return Outcome.NOT_HAD;
        }
        gate.engine().timers().schedule(waiter, now + InFlight.SLOW);
        waiter.left.thenRun(() -> gate.timedOut(waiter, now));
        return null;
    }
}
