package io.belay.internal.machine;

import io.belay.ReleaseOutcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client's turn with a lock, and the wait for it: the claim that it has on the store, those who wait for that and hold by it,
 * the time slice that a grant opens, and the fencing tokens of the hands that the lock goes through meanwhile. A token is
 * {@code sequence * 1024 + k}, where k counts the hand-offs within one sequence, or within the many that a sticky claim is given
 * at a time.
 *
 * <p>Where one holder at a time has the lock, its grant is handed from caller to caller, which costs no network (lock cohorting:
 * Dice, Marathe and Shavit, 2012). After a slice the claim yields, so that other clients get their turn. Readers hold side by
 * side.
 */
final class Turn {
    final Machine machine;
    private final Terms terms;
    final Caller.Row queue = new Caller.Row();
    final Caller.Row holders = new Caller.Row();

    @Nullable
    Stay stay;

    /** Whether its claim changes its weight, or has: nobody joins, and the lock is not handed on. */
    boolean isSealed;

    /** Who waits for a change of weight upwards; null if nobody does. */
    Caller.@Nullable Ticket upgrade;

    /** Those since the lock was handed on last; null if there were none. */
    private @Nullable LateGrants late;

    private long slice;
    private boolean isUsed;
    /** The instant at which it was given back last, or granted if that was later. */
    long usedUntil;

    /** True after a short hold, until the next caller runs: threads that run already may come before it. */
    private boolean isOpen;

    Turn(Machine machine) {
        this.machine = machine;
        terms = machine.terms;
    }

    boolean isGranted() {
        return stay != null && stay.phase == Phase.HELD;
    }

    /** Returns the claim; called while it is granted. */
    Stay granted() {
        return Objects.requireNonNull(stay);
    }

    /** Returns whether one more can hold at once. */
    boolean isFree() {
        return (terms.isShared || holders.size == 0) && isGranted();
    }

    boolean isInUse() {
        return holders.size > 0 || queue.size > 0;
    }

    /**
     * Returns whether one more may join: where one at a time has the lock, all do; of those who share it whoever makes others wait
     * for no longer than a slice. Of these, whoever wants it at once or not at all is joined by nobody, and joins nobody, before the
     * store has answered.
     */
    boolean mayJoin(boolean ifFree) {
        boolean inTime = !terms.isShared
                || (isGranted() ? !isOver(machine.now) : !ifFree && (stay == null || !stay.spec.ifFree()));
        return inTime && !isSealed;
    }

    /**
     * Returns whether others may come before the next caller, as that is still being woken up. Once it is awake
     * nobody comes before it, so it waits no longer than for one more hold.
     */
    boolean mayBarge() {
        return isOpen && !queue.first().awake && !isOver(machine.now);
    }

    /** Returns how many callers stand behind the claim. */
    int localWaiters() {
        return holders.size == 0 ? Math.max(0, queue.size - 1) : queue.size;
    }

    @Nullable
    Present present() {
        Caller noted = holders.find(caller -> !caller.note.isEmpty());
        Caller shown = noted == null && holders.size > 0 ? holders.first() : noted;
        return shown == null ? null : new Present(shown.threadName(), shown.asks.behalf, shown.acquired, shown.note);
    }

    /** Lets in whom it can, and enters a claim where one is missing. */
    void settle(boolean isShut) {
        if (stay != null && stay.phase == Phase.OVER) { // as the step that ended it has failed
            gone(stay);
        }
        if (isShut) {
            failAll(machine.shut());
            if (machine.state.isDown()) { // what is held is lost, which is told before others can have the lock
                if (staysTakenUntil() != Caller.NEVER) {
                    leave(null);
                }
                Loss why = machine.state.isOver() ? Loss.CLOSED : Loss.PAUSED;
                holders.forEach(caller -> lose(caller, why));
            }
        }
        while (queue.size > 0 && isFree() && letIn()) {}
        if (stay == null && queue.size > 0 && machine.vacated == null) {
            enter(queue.find(caller -> caller.due == null)); // whose time is not over
        }
        if (stay != null && stay.described != null && !stay.described.note().isEmpty()) {
            // Others were told that who has the lock waits: at once if that is over, as they take it for true.
            machine.stays.describe(stay);
        }
    }

    /** Gives the free lock to the next caller; returns whether there may be more to do at once. */
    private boolean letIn() {
        Stay by = granted();
        if (!terms.isShared) {
            if (by.handOffs == terms.tokens || (isUsed && isOver(usedUntil))) { // when it was given back last
                machine.stays.yield(by);
                return false;
            }
            if (isOpen && !queue.first().awake) {
                Caller next = queue.first();
                if (!next.invited) {
                    machine.effects.invited(next);
                    next.invited = true;
                }
                return false;
            }
        }
        return handOn(by);
    }

    /** Hands the lock on, unless too little of the lease is left: then the claim is renewed first. */
    private boolean handOn(Stay by) {
        if (!isReady(by)) {
            machine.stays.ask(by);
            return false;
        }
        long token = Machine.firstToken(by.sequence) + by.handOffs;
        Caller next = queue.first();
        late = null;
        boolean handOff = terms.isShared ? holders.size > 0 : by.handOffs > 0;
        by.handOffs += terms.isShared ? 0 : 1;
        long seen = next.asks.raise(token);
        if (seen >= token) {
            machine.end(next, Failure.wentBack(terms.name, token, seen));
            return true;
        }
        machine.effects.granted(next, token, handOff, machine.now); // first: if that fails it is the next one still
        queue.remove(next);
        next.begin(by, token, machine.now);
        holders.add(next);
        machine.begun(next, by);
        return terms.isShared;
    }

    /**
     * Returns whether the granted claim can be handed out at once: picked up if need be, sure, not about to end, and no push
     * has told what only an answer to come can.
     */
    boolean isReady(Stay by) {
        return (!terms.isFixed || by.isConfirmed)
                && by.hinted == 0
                && by.isSureFor(terms.shortestHold, machine.now, machine.wallOffset);
    }

    // The claim.

    /** Enters a claim on behalf of a caller; not yet, if grants came too late just now. */
    private void enter(@Nullable Caller first) {
        if (first != null && (late == null || !late.isPausing(machine.now))) {
            Asks asks = first.asks;
            Stay entered = machine.newStay(first.threadName(), asks.behalf, first.ifFree, asks.atLeast);
            first.entered = entered;
            machine.stays.enter(this, entered);
        }
    }

    /** Follows what the store, or the clock, has told of the claim. */
    void follow(News news, Stay told) {
        switch (news) {
            case NOTHING -> {}
            case GRANTED -> {
                usedUntil = machine.now;
                slice = terms.slice == Terms.STORES_SLICE ? machine.client.slice() : terms.slice;
                isUsed = false;
                isOpen = false;
                if (terms.use == Terms.Use.OBSERVER) {
                    machine.effects.noticed();
                }
            }
            case GONE -> gone(told);
            case BUSY -> {
                stay = null;
                queue.forEach(caller -> {
                    if (caller.ifFree) {
                        machine.end(caller, Failure.NOT_HAD);
                    }
                });
            }
            case REFUSED -> {
                stay = null;
                failAll(Failure.refused(terms.name, told.refusal));
                machine.effects.refused(String.valueOf(told.refusal));
            }
        }
    }

    /** Returns until when the claim stays taken though it is lost here: those who hold are to have it for that long at least. */
    long staysTakenUntil() {
        holders.forEach(this::keepFor);
        return staysTaken() ? granted().keptUntil : Caller.NEVER;
    }

    /** Returns whether the claim is to stay taken, for one who has given back, and was told that it is. */
    boolean staysTaken() {
        return stay != null && stay.keptUntil != Caller.NEVER && stay.keptUntil - machine.now > 0;
    }

    private void gone(Stay lost) {
        boolean inVain = holders.size == 0 && lost.handOffs == 0 && queue.size > 0;
        Known last = lost.known();
        boolean over = lost.loss == Loss.OVER || lost.loss == Loss.NOT_RENEWED || lost.loss == Loss.EXPIRED;
        if (over && inVain && last != null) {
            long lease = (terms.isFixed ? terms.spec.fixedLease() : terms.spec.lease()) * 1000;
            late = late == null ? new LateGrants() : late;
            late.came(terms.name, machine.now - last.sent(), lease, machine.now, machine.client.requestTimeout());
            machine.effects.warn("late grant", late.text);
            if (late.isHopeless()) {
                failAll(Failure.unusable(late.text));
                late = null;
            }
        }
        holders.forEach(caller -> lose(caller, lost.loss));
        stay = null; // last: what fails is done again
    }

    /** Returns how a wait ends whose time is over: empty-handed if the store has put it into its queue since a grant came too late. */
    Failure timedOut() {
        boolean queued =
                stay != null && stay.phase == Phase.WAITING && stay.isSureFor(0, machine.now, machine.wallOffset);
        return late == null || queued ? Failure.NOT_HAD : Failure.unavailable(late.text);
    }

    /** Leaves the claim, if there is one, or has the store keep it for as long as asked; its outcome is for that caller. */
    void leave(@Nullable Caller leaver) {
        Stay left = stay;
        stay = null;
        if (left != null) {
            machine.stays.leave(left, leaver);
        }
    }

    // The holders.

    /** Takes back what a caller holds. */
    void release(Caller caller) {
        Stay by = granted();
        machine.holdEnds(caller);
        holders.remove(caller);
        isUsed = true;
        usedUntil = machine.now;
        // Beside a long hold it matters little how long somebody takes to wake up, and much who comes first.
        isOpen = terms.barging && machine.now - caller.acquired < slice / 4;
        keepFor(caller);
        // Where it does not go on, those who wait here enter anew, behind all others.
        boolean goesOn =
                terms.isShared ? isInUse() : by.keptUntil == Caller.NEVER && (queue.size > 0 || machine.mayKeep(this));
        if (!goesOn) {
            caller.release(machine.now);
            leave(caller);
        } else if (caller.isKept(machine.now)) {
            machine.keepReleased(caller, by);
        } else {
            machine.released(caller, ReleaseOutcome.RELEASED);
        }
        if (goesOn && by.handOffs == terms.tokens / 2 && !by.inFlight.underWay) { // here as many wait as when it yields
            machine.stays.transmit(by); // for a fresh sequence, without stopping
        }
    }

    /** Keeps the claim for as long as somebody asks for who gives back, or loses it. */
    private void keepFor(Caller caller) {
        if (stay != null && caller.isKept(machine.now)) {
            stay.keepUntil(caller.keptUntil);
        }
    }

    /** Ends what was held for too long; where nobody else has a part of it, the claim leaves before anybody is told. */
    void loseForGood(Caller caller) {
        keepFor(caller);
        if (!terms.isShared) {
            leave(null);
        }
        boolean ends = terms.isFixed && caller.limit != caller.acquired + caller.asks.maxHold;
        lose(caller, ends ? Loss.OVER : Loss.MAX_HOLD);
    }

    void lose(Caller caller, Loss why) {
        machine.effects.lost(caller, why, machine.now);
        machine.holdEnds(caller);
        holders.remove(caller); // last: what fails is done again
    }

    void failAll(Failure how) {
        queue.forEach(caller -> machine.end(caller, how));
    }

    // The slice, and the tokens.

    /** Returns whether other clients come next. For a sticky claim the slice's end counts only if there are any. */
    private boolean isOver(long at) {
        Stay by = granted();
        return by.handOffs == terms.tokens || (at - by.since >= slice && (terms.idle == 0 || by.isWanted));
    }

    /** Returns when the pause is over after which a claim is entered, or what is due if that is earlier or there is none. */
    long due(long due) {
        // After the pause it is the store's answer that is waited for, and no timer.
        return stay == null && queue.size > 0 && late != null && late.isPausing(machine.now)
                ? Caller.earlier(due, late.pausedUntil)
                : due;
    }
}
