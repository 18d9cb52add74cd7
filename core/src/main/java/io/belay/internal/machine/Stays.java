package io.belay.internal.machine;

import io.belay.ReleaseOutcome;
import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The claims of a {@link Machine}: what it sends for them, what it makes of the answers, and how they end. */
final class Stays {
    private final Machine machine;
    /** The claims that are not over, the oldest first: those of the turns, and those that leave, or were lost. */
    final List<Stay> all = new ArrayList<>(1);

    Stays(Machine machine) {
        this.machine = machine;
    }

    // What is sent.

    /** Sends the enter of a turn's claim, unless it is to wait at home. */
    void enter(Turn turn, Stay stay) {
        turn.stay = stay;
        try {
            all.add(stay);
            machine.effects.begun(stay);
            if (!machine.effects.delays(stay)) {
                transmit(stay);
            }
        } catch (Throwable e) { // as no memory is left: it leaves, and the next step enters another one
            turn.stay = null;
            stay.end(machine.now);
            throw e;
        }
    }

    /** Makes the request that the phase calls for, and has it sent after the step. */
    void transmit(Stay stay) {
        boolean leave = stay.phase == Phase.OVER;
        // First: what fails from here on counts as not answered, and is sent again.
        int number = stay.inFlight.begin(machine.now, machine.client.patience(), machine.client.requestTimeout());
        Request next = stay.next(leave ? 0 : machine.localWaiters(stay), machine.now);
        if (stay.phase == Phase.HELD && stay.isFixed && stay.isEndPending()) {
            stay.believeFix(machine.now);
        }
        stay.leaves += leave ? 1 : 0;
        machine.effects.send(stay, next, number, leave);
        if (leave) {
            unclear(stay, stay.isUnclear()); // last: then the next enter may go
        }
    }

    /** Asks the store now, unless a request is on its way already; a little later if it has just been asked in vain. */
    void ask(Stay stay) {
        if (stay.asksNow(machine.now)) {
            transmit(stay);
        }
    }

    void yield(Stay stay) {
        stay.yield(machine.now);
        transmit(stay);
    }

    void reweight(Stay stay, int weight) {
        if (stay.changing().reweight(weight)) {
            transmit(stay);
        }
    }

    // What has become due.

    /** Renews, or sends again, what is due. */
    void fire(Stay stay) {
        if (machine.now - stay.due(machine.client) < 0) {
            return;
        }
        if (stay.leaver != null && machine.now - stay.awaitedUntil(machine.client) >= 0) {
            tell(stay, ReleaseOutcome.UNKNOWN); // the engine goes on
        }
        boolean quiet = !stay.inFlight.underWay;
        boolean missing = !quiet && machine.now - stay.inFlight.resendAt >= 0;
        if (missing && stay.inFlight.failures == 0) {
            stay.inFlight.failures = 1; // first: if to tell it fails, that must not hold up the next step, too
            machine.client.noteSilence();
        }
        boolean renews = stay.isHeld() || stay.phase == Phase.WAITING;
        if (missing && (!renews || (stay.changing != null && stay.changing.isPending()))) {
            resend(stay);
        } else if (quiet && stay.isHeld() && !stay.isFixed && stay.outlivesUntil != Caller.NEVER) {
            stay.fixForALease(machine.now);
            transmit(stay);
            describe(stay);
        } else if (renews && (missing || quiet)) {
            renew(stay);
        } else if (quiet && stay.isOver()) { // as the step that ended it has failed
            leave(stay, stay.leaver);
        }
    }

    private void renew(Stay stay) {
        Request.Renew renewal = stay.renewal(machine.localWaiters(stay), machine.now);
        int number = stay.inFlight.begin(machine.now, machine.client.patience(), machine.client.requestTimeout());
        machine.effects.renew(stay, renewal, number);
        describe(stay);
    }

    /** Shows who has the lock, if that has changed since it was shown last. */
    void describe(Stay stay) {
        Request.Describe description = stay.isHeld() ? stay.description(machine.present(stay)) : null;
        if (description != null) {
            machine.effects.describe(stay, description);
        }
    }

    /** Sends the request again, as no answer came, or a failure did. */
    private void resend(Stay stay) {
        if (stay.leaves > 0 && machine.client.capabilities().expiry() && stay.hasSurelyExpired(machine.now)) {
            over(stay, ReleaseOutcome.UNKNOWN);
            return;
        }
        stay.enters += stay.phase == Phase.ENTERING ? 1 : 0;
        transmit(stay);
    }

    /** Asks anew, as the connection was lost and is there again. */
    void reconnected(Stay stay) {
        stay.inFlight.answered(); // in that no failure counts: an answer on the new connection takes its time
        if (stay.isHeld() && stay.changing != null) {
            renew(stay); // before it is changed again, which would hide that a change was forgotten
        } else if (stay.isHeld() || stay.phase == Phase.WAITING) {
            stay.askAt = machine.now;
        } else if (stay.isSent()) {
            resend(stay);
        }
    }

    // What the store says.

    void answered(Stay stay, @Nullable Answer answer, @Nullable StoreException error, Sent sent) {
        boolean leave = sent.leave();
        if (!leave && stay.phase == Phase.OVER) {
            if (stay.leaves == 0) {
                enteredInVain(stay, answer, sent);
            } else if (answer != null && stay.isEndPending() && stay.resequence(answer.sequence())) {
                transmit(stay);
            }
            return; // else too late to matter; the leave is on its way
        }
        if (answer == null) {
            failed(stay, error, sent);
            return;
        }
        int number = sent.number();
        boolean last = number == stay.inFlight.number;
        boolean kept = leave && stay.isEndPending() && answer.state() == Answer.State.GRANTED;
        if (kept && answer.refusal() == null && !stay.changing().takeMade(answer)) {
            if (stay.resequence(answer.sequence())
                    || (last && !sent.reweight() && stay.changing().isEndSeen(answer))) {
                // Asks to keep it under the sequence of a request that was under way, or for its weight behind its end.
                transmit(stay);
            } else {
                stay.inFlight.backOff(machine.now);
            }
            return;
        }
        if (last) {
            stay.inFlight.answered();
        }
        if (leave) {
            // Else it was granted when it was to be kept, which nobody wants any more: the leave is on its way.
            if (last || kept || answer.state() != Answer.State.GRANTED) {
                left(stay, answer, kept);
            }
            return;
        }
        boolean waited = stay.phase == Phase.WAITING && stay.hinted == 0;
        follow(stay, stay.answered(answer, sent, machine.now));
        if (waited && stay.phase != Phase.WAITING) {
            machine.client.missedAPush();
        }
        if (stay.changing != null && stay.isHeld()) {
            learnChange(stay, stay.changing, answer, sent, last);
        }
        machine.tellAsked(stay, ReleaseOutcome.RELEASED, stay.isOver() ? 0 : number);
    }

    private void learnChange(Stay stay, Changes<Caller.Ticket> changing, Answer answer, Sent sent, boolean last) {
        boolean again = false;
        if (changing.isUndone(answer, sent.number())) {
            changing.askAnew(answer.reweights());
        }
        int before = changing.made;
        if (changing.endIsSent) {
            boolean refused = last && answer.refusal() != null;
            stay.outlivesUntil = refused ? Caller.NEVER : stay.outlivesUntil;
            if (refused || changing.isEndSeen(answer)) {
                machine.tell(changing.waiting, answer.refusal());
                changing.settleEnd(answer.reweights());
                stay.changesKnown = answer.reweights(); // a refusal leaves it at what it was
            }
        } else {
            again = changing.settleWeight(answer, last && sent.reweight(), made -> machine.reweighted(stay, made));
        }
        changing.learn(before, stay.inFlight.number);
        if (again || (changing.isPending() && !stay.inFlight.underWay)) {
            transmit(stay);
        }
    }

    private void failed(Stay stay, @Nullable StoreException error, Sent sent) {
        if (sent.number() != stay.inFlight.number) {
            return; // it was sent again since
        }
        boolean forGood = error != null && !error.isTemporary();
        stay.inFlight.failure = error == null ? null : error.getMessage();
        if (forGood && stay.isOver() && (machine.client.capabilities().expiry() || stay.known == null)) {
            over(stay, ReleaseOutcome.UNKNOWN); // it can only expire
        } else if (forGood && !stay.isOver() && !stay.isHeld()) { // a holder is told at its deadline
            Turn turn = machine.turnOf(stay);
            end(stay, true, Caller.NEVER);
            machine.isBarred = true;
            if (turn != null) {
                turn.stay = null;
                turn.failAll(
                        Failure.unusable("The lock '" + stay.resource + "' cannot be had: " + stay.inFlight.failure));
            }
        } else {
            stay.inFlight.backOff(machine.now);
        }
    }

    /** Ends a claim that is over by that news, and tells those who use it. */
    void follow(Stay stay, News news) {
        Turn turn = machine.turnOf(stay);
        if (news != News.NOTHING && news != News.GRANTED) {
            // Whose time is over for this client alone may stay taken in the store, as it would if this process had
            // died.
            boolean late = stay.isHeld() && (stay.loss == Loss.NOT_RENEWED || stay.loss == Loss.OVER);
            long kept = late && turn != null ? turn.staysTakenUntil() : Caller.NEVER;
            // A store that went back still has it; and where nothing expires by itself, what is wrongly told to be gone
            // would stay.
            boolean wentBack = stay.loss == Loss.WENT_BACK || stay.loss == Loss.UNDONE;
            boolean mayStay = news == News.GONE
                    && (wentBack || !machine.client.capabilities().expiry());
            end(stay, stay.isHeld() || stay.isUnclear() || mayStay, kept);
        }
        machine.isBarred |= news == News.BUSY || news == News.REFUSED;
        if (turn != null) {
            turn.follow(news, stay);
        }
        if (stay.noticesExpiry(machine.now)) { // the grant came too late
            follow(stay, News.GONE);
        } else if (stay.isToBeAskedAtOnce(machine.now)) {
            transmit(stay);
        }
    }

    // How a claim ends.

    private void end(Stay stay, boolean leaves, long keptUntil) {
        stay.end(machine.now);
        endChanges(stay, keptUntil);
        if (leaves) {
            transmit(stay);
        } else {
            over(stay, ReleaseOutcome.UNKNOWN);
        }
    }

    /** Has the store keep no more what is left, or was. */
    void keepNoLonger(Stay stay) {
        if (stay.isEnded && machine.state.isDown()) {
            // Once, if at all: nothing is sent again by a client that is paused or closed.
            machine.effects.send(stay, Request.Leave.of(stay.resource, stay.id, false), 0, true);
        } else if (stay.isEnded) {
            stay.isEnded = false; // until the store has answered: it leaves like any other
            all.add(0, stay);
            machine.effects.begun(stay);
            transmit(stay);
        } else if (stay.isEndPending()) {
            endChanges(stay, Caller.NEVER);
            transmit(stay);
        }
    }

    /** Has the store asked for no other end any more, or for that one if it is given and not over. */
    private void endChanges(Stay stay, long keptUntil) {
        if (stay.changing != null) {
            machine.tell(stay.changing.waiting, null);
            stay.changing.settleEnd(0);
        }
        if (keptUntil != Caller.NEVER && keptUntil - machine.now > 0) {
            stay.fix(keptUntil, null);
            stay.changing().endFirst();
        }
    }

    /**
     * Leaves the store, which keeps the claim for as long as it is to stay taken. Behind an enter that is not answered the leave
     * waits for the answer, if that comes in time: then no copy of the enter can come late, and the store has nothing to
     * remember.
     */
    void leave(Stay stay, @Nullable Caller leaver) {
        boolean first = stay.phase == Phase.ENTERING && stay.inFlight.number == 1 && stay.inFlight.failures == 0;
        stay.leaver = leaver;
        stay.end(machine.now); // first: what fails from here on is done again
        endChanges(stay, stay.keptUntil);
        if (!stay.isSent()) {
            over(stay, ReleaseOutcome.RELEASED);
        } else if (first && !machine.state.isDown()) {
            unclear(stay, true);
        } else {
            transmit(stay);
        }
    }

    /** Takes the answer to the enter of a claim that was given up, or its failure. */
    private void enteredInVain(Stay stay, @Nullable Answer answer, Sent sent) {
        if (answer != null) {
            stay.enteredInVain(answer, sent);
        }
        if (stay.known != null || stay.isUnclear()) { // the store may have something of it
            transmit(stay);
        } else {
            over(stay, ReleaseOutcome.RELEASED);
        }
    }

    /** Takes the answer to a leave, or to the request to keep for a while what was left. */
    private void left(Stay stay, Answer answer, boolean kept) {
        if (kept && answer.refusal() != null) {
            machine.effects.warn(
                    "kept",
                    "The lock '" + stay.resource + "' is free at once, as it cannot be kept: " + answer.refusal());
            keepNoLonger(stay);
            return;
        }
        if (kept) {
            machine.effects.kept(stay, stay.changing().lease(machine.now) * 1000);
            Request.Describe unnoted = stay.unnoted();
            if (unnoted != null) {
                machine.effects.describe(stay, unnoted); // whoever had it waits no more, or not with this
            }
        }
        ReleaseOutcome outcome = outcome(stay, answer, kept);
        // It waits in a store that went back to before its grant; a copy of an unclear one may come yet.
        if (!kept && stay.isEndPending() && (answer.state() == Answer.State.WAITING || stay.isUnclear())) {
            tell(stay, outcome);
            machine.tellAsked(stay, outcome, Integer.MAX_VALUE);
            keepNoLonger(stay);
        } else {
            over(stay, outcome);
        }
    }

    private ReleaseOutcome outcome(Stay stay, Answer answer, boolean kept) {
        if (kept || answer.state() == Answer.State.LEFT) {
            return ReleaseOutcome.RELEASED;
        }
        // Until the deadline nobody else had the lock: a leave that finds nothing was done before, by an earlier copy.
        // With another run of the server that need not be so.
        Known last = stay.known;
        boolean inTime = stay.isSureFor(1, machine.now, machine.wallOffset);
        // It was left once; or it was asked to be kept alone, for a time that is not over, which takes nothing away.
        if (stay.leaves == 1 || (stay.isEndPending() && !stay.changing().isOver(machine.now))) {
            return ReleaseOutcome.ALREADY_LOST;
        } else if (last == null || !inTime || last.server() == answer.server()) {
            return inTime ? ReleaseOutcome.RELEASED : ReleaseOutcome.UNKNOWN;
        }
        if (stay.leaver != null) {
            machine.effects.warn(
                    "server",
                    "The lock '" + stay.resource
                            + "' was released while its server was restarted or replaced, and the"
                            + " new one does not know of it: another may have had the lock meanwhile");
        }
        return ReleaseOutcome.UNKNOWN;
    }

    /** Tells the outcome, once. */
    private void tell(Stay stay, ReleaseOutcome outcome) {
        if (stay.leaver != null) {
            machine.tellLeft(stay.leaver, outcome);
            stay.leaver = null;
        }
    }

    /** Counts for those whose next enter waits at home, while it is not known whether this one has come. */
    private void unclear(Stay stay, boolean is) {
        if (stay.isUnclearTold != is) {
            machine.effects.unclear(stay, is);
            stay.isUnclearTold = is;
        }
    }

    /** Ends what there is of a claim here, once all is told; the outcome is for whoever was not told any yet. */
    void over(Stay stay, ReleaseOutcome outcome) {
        unclear(stay, false);
        tell(stay, outcome);
        endChanges(stay, Caller.NEVER);
        machine.tellAsked(stay, outcome, Integer.MAX_VALUE);
        machine.effects.over(stay);
        Turn turn = machine.turnOf(stay);
        if (turn != null) {
            turn.stay = null;
        }
        if (stay == machine.vacated) {
            machine.vacated = null;
            machine.turns.forEach(its -> its.queue.forEach(one -> one.due = one.due == stay ? null : one.due));
        }
        all.remove(stay);
        stay.isEnded = true;
    }
}
