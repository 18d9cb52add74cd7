package io.belay.internal.machine;

import io.belay.LockStatistics.WaitEnd;
import io.belay.ReleaseOutcome;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All that a client decides about one lock under the same terms: who of its callers waits and holds, what it asks the store, what
 * it believes of the answers, when it gives up, yields and leaves. It has no clock, no thread and does no I/O: whoever calls says
 * what time it is ({@link #begin}), then what happens, then {@link #settle}; does what that calls for on {@link Effects} once the
 * step is over, and calls {@link #tick} at {@link #due} at the latest. Equal states and equal events give equal effects, so that
 * the search, the simulation and production run the same.
 *
 * <p>At the end of each step it looks at what is there and does what that calls for. So whatever an event forgets to do for
 * others is done all the same, by this step or by the next.
 */
public final class Machine {
    final Terms terms;
    final ClientContext client;
    final Effects effects;

    // The step that is being taken.
    long now;
    long wallOffset;
    ClientState state = ClientState.OPEN;

    /**
     * The turns with the lock that anybody uses, or whose claim is kept: where one at a time has it, that of all who come, beside
     * those of holds whose weight was changed.
     */
    final List<Turn> turns = new ArrayList<>(1);

    final Stays stays;
    /** Those whose time is limited; null before the first. */
    private @Nullable TimeLimits limits;
    /** The time for which a claim stays that nobody uses; null where it does not. */
    @Nullable
    Keeping keeping;

    /** The claim of a kept place that is being left, so that a try which does not wait can ask for itself. */
    @Nullable
    Stay vacated;

    /** The one who has come in this step, and waits for a limited time, unless it has the lock when the step ends. */
    private @Nullable Caller arriving;

    private boolean isRetired;
    /** The thread that observes; null if none does. */
    private @Nullable String observer;
    /** Whether the store has not let the observer in, until it comes again. */
    boolean isBarred;

    public Machine(Terms terms, ClientContext client, Effects effects) {
        this.terms = terms;
        this.client = client;
        this.effects = effects;
        stays = new Stays(this);
        keeping = terms.idle == 0 ? null : new Keeping(terms.idle);
    }

    /**
     * Begins a step, and notices whose time is over.
     *
     * @param instant what {@link System#nanoTime()} shows
     * @param wallOffset how far the wall clock is ahead of that, in milliseconds
     * @param itsState whether the client lets anybody in
     */
    public void begin(long instant, long wallOffset, ClientState itsState) {
        now = instant;
        this.wallOffset = wallOffset;
        state = itsState;
        for (int i = 0; i < turns.size(); i++) {
            Stay stay = turns.get(i).stay;
            if (stay != null && stay.noticesExpiry(now)) {
                stays.follow(stay, News.GONE);
            }
        }
        if (limits != null) {
            limits.endHolds();
        }
    }

    // What callers do.

    /** A caller wants the lock, for at most that many nanoseconds. */
    public Entry arrived(Caller caller, long wait) {
        Failure failure = isShut() ? shut() : terms.use == Terms.Use.ONE ? refusal(caller) : null;
        if (failure != null) {
            end(caller, failure);
            return Entry.ENTERED;
        }
        if (isRetired) {
            return Entry.RETIRED;
        }
        Turn turn = joined(caller);
        if (turn == null || !queued(caller, turn)) {
            return caller.isPending() ? Entry.APART : Entry.ENTERED;
        }
        caller.turn = turn;
        if (wait != Caller.NEVER) {
            caller.limit = now + wait;
            if (arriving != null && arriving.isWaiting()) { // whose step has failed
                look(arriving, arriving.limit);
            }
            arriving = caller;
        }
        return Entry.ENTERED;
    }

    /** Queues a caller; returns false if it is to ask for itself, or had an answer. */
    private boolean queued(Caller caller, Turn turn) {
        if (terms.isShared) {
            queue(caller, turn, false);
            return true;
        }
        boolean placeKept = keeping != null && keeping.tried();
        if (turn.isFree() && (turn.queue.size == 0 || turn.mayBarge())) {
            caller.awake = true;
            turn.queue.addFirst(caller);
            return true;
        }
        boolean isTriedBehind = caller.ifFree && (turn.stay != null || turn.queue.size > 0);
        if (isTriedBehind && placeKept) {
            // It stands for no caller: what the store last said of it is no answer to a new question.
            vacated = turn.stay;
            turn.leave(null);
        } else if (isTriedBehind) {
            // The store is being asked for another try, or will be once a place that was kept is left.
            boolean asks = turn.stay == null ? vacated != null : turn.stay.phase == Phase.ENTERING;
            if (!asks || turn.queue.size != 1 || !turn.queue.first().ifFree) {
                end(caller, Failure.NOT_HAD);
            }
            return false;
        }
        queue(caller, turn, turn.isGranted());
        return true;
    }

    /** Returns the turn that a caller joins, which is a new one where no other takes it; null if it is to ask for itself. */
    private @Nullable Turn joined(Caller caller) {
        Turn joined = null;
        for (Turn turn : turns) {
            joined = turn.mayJoin(caller.ifFree) ? turn : joined;
        }
        if (joined == null && caller.ifFree && !turns.stream().allMatch(Turn::isGranted)) {
            return null; // by a machine of its own: each step here looks at all turns
        }
        if (joined == null) {
            joined = new Turn(this);
            turns.add(joined);
        }
        return joined;
    }

    /** Queues the caller behind others of this client ({@code local}), or until the store has answered. */
    private void queue(Caller caller, Turn turn, boolean local) {
        boolean isThread = caller.isThread();
        if (!local || !isThread) {
            caller.waitsFrom(now);
        }
        caller.awake = !isThread;
        if (local && turn.holders.size > 0) {
            effects.waitsFor(caller, turn.holders.first()); // before it waits, as that may fail
        }
        turn.queue.add(caller);
    }

    /** A caller that was woken up runs: from now on nobody comes before it. */
    public void awoke(Caller caller) {
        caller.awake = true;
    }

    /**
     * A caller waits no longer, and is told how that ends: once a claim that nobody wants any more has left, in a moment; or at once.
     *
     * @return false if its wait was over before
     */
    public boolean gaveUp(Caller caller, Failure how) {
        boolean pending = caller.isPending();
        if (pending && caller.isWaiting()) {
            depart(caller, how, false);
        } else if (pending && how.end() == WaitEnd.CANCELLED) {
            caller.leaving = how;
        }
        return pending;
    }

    /** Notes for other clients that a caller waits, or waits no more, beside the claim by which it holds, or has held. */
    public void note(Caller holder, String note) {
        holder.note = note;
        Stay stay = holder.stay();
        if (stay != null && turnOf(stay) != null) {
            stays.describe(stay);
        }
    }

    /** Takes a note back, unless another one was noted since. */
    public void unnote(Caller holder, String note) {
        if (holder.note.equals(note)) {
            note(holder, "");
        }
    }

    /** A caller gives back what it holds, and keeps the lock taken for so many nanoseconds at least. */
    public void released(Caller caller, long delay) {
        if (caller.isReleased()) {
            return;
        }
        if (delay > 0 && !caller.isKept(now + delay)) { // else for longer, as was asked for before
            caller.keptUntil = now + delay;
        }
        Turn turn = caller.holding();
        if (turn == null) {
            released(caller, ReleaseOutcome.ALREADY_LOST);
            return;
        }
        turn.release(caller);
        if (keeping != null && keeping.isRepeated && turn.stay == null && !turn.isSealed && !turn.isInUse()) {
            keeping.expectTry(now);
        }
    }

    /** The lock of a caller is to stay taken no longer than it holds it; if its time was over, it may be kept without a holder. */
    public void keepNoLonger(Caller caller) {
        Stay stay = caller.stay();
        if (stay != null && stay.isOver() && caller.isKept(now)) {
            stays.keepNoLonger(stay);
        }
        caller.keptUntil = Caller.NEVER; // last: what fails is done again
    }

    /** Asks the store how an unsure claim stands; the ticket is told at its answer, or when the claim has ended. */
    public void ask(Caller.Ticket ticket) {
        Stay stay = ticket.hold.stay();
        if (stay == null || stay.isOver()) {
            effects.told(ticket, null);
        } else {
            stay.ask(ticket);
            stays.ask(stay);
        }
    }

    /** Moves the end of a hold to so many nanoseconds from now; the ticket is told once the hold shows it, or is over. */
    public void extend(Caller.Ticket ticket, long duration) {
        Caller hold = ticket.hold;
        Turn turn = hold.holding();
        if (turn == null) {
            effects.told(ticket, null);
            return;
        }
        Stay stay = turn.granted();
        long end = now + duration;
        ticket.move = ++hold.moves;
        if (!stay.isFixed || hold.isKept(end) || hold.limit != Caller.NEVER) {
            ticket.end = end;
            limit(hold, Caller.earlier(end, hold.limit));
        }
        if (stay.isFixed) {
            stay.fix(hold.isKept(end) ? hold.keptUntil : end, ticket); // it ends for the holder alone, by its limit
            stays.transmit(stay);
        } else {
            ask(ticket);
        }
    }

    /** Makes a hold a smaller one, under a handle of its own that stands for it if {@code inside}; null if it is lost or being upgraded. */
    public @Nullable Caller downgrade(Caller hold, int weight, boolean inside) {
        Turn turn = hold.holding();
        if (turn == null || turn.upgrade != null) {
            return null;
        }
        Caller next = hold.successor(now); // first: what fails up to here leaves all as it is
        seal(turn);
        try {
            succeed(turn, hold, next, inside);
            stays.reweight(turn.granted(), weight);
        } catch (Throwable e) { // as no memory is left: nobody has the other handle
            released(next, 0);
            throw e;
        }
        return next;
    }

    /** Asks to make a hold a larger one, which is refused unless nobody else has a part of the resource. */
    public void upgrade(Caller.Ticket ticket, int weight) {
        Turn turn = ticket.hold.holding();
        if (turn != null && turn.upgrade != null && turn.upgrade.isGivenUp) {
            // It is undecided: the outcome is told to who asks again.
            turn.upgrade = ticket;
            return;
        }
        if (turn == null
                || turn.upgrade != null
                || (terms.isShared && (turn.queue.size + turn.holders.size > 1 || turn.staysTaken()))) {
            effects.told(ticket, null);
            return;
        }
        seal(turn);
        turn.upgrade = ticket;
        stays.reweight(turn.granted(), weight);
    }

    /** Gives an upgrade up: should it be made all the same, it is undone. Returns false if it is decided, or taken up. */
    public boolean giveUpUpgrade(Caller.Ticket ticket) {
        Turn turn = ticket.hold.holding();
        ticket.isGivenUp = turn != null && turn.upgrade == ticket;
        return ticket.isGivenUp;
    }

    /** Begins to observe, or tries again; or observes no longer. */
    public void observe(@Nullable String thread) {
        observer = thread;
        isBarred = false;
    }

    // What the store does.

    /** The store has answered, or failed to. */
    public void answered(Stay stay, @Nullable Answer answer, @Nullable StoreException error, Sent sent) {
        if (!stay.isEnded) {
            try {
                stays.answered(stay, answer, error, sent);
            } catch (Throwable e) { // as no memory is left: then the answer has not come, and is asked for again
                stay.inFlight.underWay = true;
                throw e;
            }
        }
    }

    /** The store tells that a claim is granted, wanted or over. */
    public void pushed(Push push) {
        for (int i = 0; i < turns.size(); i++) {
            Stay stay = turns.get(i).stay;
            if (stay != null && stay.id.equals(push.id())) {
                stays.follow(stay, stay.pushed(push, now)); // none that is over has a turn
                return;
            }
        }
    }

    /**
     * Recalls a sticky claim, as somebody of this client wants the lock in another way: at once if nobody uses it, else with its
     * user's release, as for another client that waits. A try recalls one that nobody uses alone. A place that is kept for the
     * next try is nobody's either.
     */
    public void recall(boolean isTry) {
        for (Turn turn : turns) {
            if (turn.stay != null) {
                turn.stay.isWanted |= isTry ? mayKeep(turn) : terms.idle > 0;
            }
        }
        if (keeping != null && keeping.isPlaceKept()) {
            keeping.endTry();
        }
    }

    /** Returns whether the claim of a lock that is not had keeps its place for the next try. */
    public boolean keepsPlace() {
        return keeping != null && keeping.isPlaceKept();
    }

    /** The enter of a claim need not wait at home any more. */
    public void sendDelayed(Stay stay) {
        if (!stay.isEnded && !stay.isOver() && !state.isDown()) { // then it ends with this step
            stays.transmit(stay);
        }
    }

    /** What shows who has the lock did not get through. */
    public void notDescribed(Stay stay) {
        stay.described = null;
    }

    /** The connection was lost and is there again, or for the first time: those who want what the store cannot do are refused. */
    public void reconnected() {
        turns.forEach(turn -> turn.queue.forEach(caller -> {
            Failure refusal = refusal(caller);
            if (refusal != null) {
                gaveUp(caller, refusal);
            }
        }));
        forEachStay(stays::reconnected);
        if (observer != null) {
            effects.noticed();
        }
    }

    /** Returns why a caller cannot have what it wants of the store, as far as that is known; null if it can. */
    private @Nullable Failure refusal(Caller caller) {
        boolean own = terms.isFixed || caller.asks.atLeast > 0;
        return own && !client.capabilities().leasePerClaim() ? Failure.noLease(terms.name, terms.isFixed) : null;
    }

    // What the clock and the client do.

    /** Something is due, or may be. */
    public void tick() {
        forEachStay(stays::fire);
        if (limits != null) {
            limits.look();
        }
        if (keeping != null) {
            keeping.expire(now);
        }
    }

    /**
     * Asks the store how claims stand that a suspension of the machine has made unsure. Where the wall clock was put back, the next
     * suspension is seen by where it stands now.
     */
    public void checkIfUnsure() {
        forEachStay(stay -> {
            Known last = stay.known;
            if (stay.isHeld() && stay.isUnsure(wallOffset)) {
                stays.ask(stay);
            } else if (last != null && wallOffset < last.wallOffset()) {
                stay.known = last.with(wallOffset, last.until());
            }
        });
    }

    /** Sends the leaves that still wait for an enter's answer, as the client is closed. */
    public void sendLeaves() {
        forEachStay(stay -> {
            if (stay.isOver() && stay.leaves == 0) {
                stays.transmit(stay);
            }
        });
    }

    /** Ends all claims, as the client is closed and the store gave no answer. */
    public void abandon() {
        forEachStay(stay -> stays.over(stay, ReleaseOutcome.UNKNOWN));
    }

    /** Returns whether a client that drains waits for the end of a claim: somebody has the lock by it. */
    public boolean isWaitedFor() {
        return terms.use != Terms.Use.OBSERVER && turns.stream().anyMatch(turn -> turn.stay != null);
    }

    // What follows from what is there.

    /** Ends a step: does what the state calls for. */
    public void settle() {
        settleTurns();
        if (arriving != null && arriving.isWaiting()) {
            // It asks the store for the last time before the wait is over, of which all is left now.
            long before = arriving.ifFree ? 0 : Math.min((arriving.limit - now) / 4, client.requestTimeout());
            look(arriving, arriving.limit - before);
        }
        arriving = null;
        if (limits != null && limits.settle()) {
            settleTurns();
        }
        if (isUnused() && !isRetired) {
            // First: if this fails the next step does it again, and nobody is sent back to one that is retired.
            effects.retired();
            isRetired = true;
            keeping = null;
        }
    }

    private void settleTurns() {
        if (terms.use == Terms.Use.OBSERVER) {
            observe();
        }
        if (keeping != null && state != ClientState.OPEN) {
            keeping.endTry();
        }
        boolean isShut = isShut();
        for (int i = 0; i < turns.size(); i++) {
            turns.get(i).settle(isShut);
        }
        for (int i = turns.size() - 1; i >= 0; i--) {
            Turn turn = turns.get(i);
            boolean used = turn.isInUse() || (turn.stay != null && observer != null);
            if (!used && (keeping == null || !keeps(turn, keeping))) {
                turn.leave(null);
                turns.remove(i);
            }
        }
    }

    /** Has an observer's claim while there is one. */
    private void observe() {
        if (state.isDown() && observer != null) {
            if (!turns.isEmpty()) {
                turns.forEach(turn -> turn.leave(null));
                effects.noticed();
            }
            observer = state.isOver() ? null : observer;
        } else if (observer != null && turns.isEmpty() && !isBarred) {
            Turn turn = new Turn(this);
            stays.enter(turn, newStay(observer, "", false, 0));
            turns.add(turn);
        }
        for (Turn turn : turns) {
            if (turn.isGranted() && turn.stay != null && turn.stay.isWanted) {
                stays.yield(turn.stay);
            }
        }
    }

    /** Returns whether a claim that nobody uses stays for a while. */
    private boolean keeps(Turn turn, Keeping its) {
        return !turn.isSealed && (turn.isFree() ? mayKeep(turn) && its.stays(turn.usedUntil, now) : its.isPlaceKept());
    }

    /** Returns whether a sticky claim stays though nobody uses it. */
    boolean mayKeep(Turn turn) {
        return terms.idle > 0
                && state == ClientState.OPEN
                && turn.isFree()
                && !turn.isSealed
                && !turn.granted().isWanted;
    }

    private boolean isUnused() {
        return turns.isEmpty() && observer == null && (keeping == null || !keeping.isTryExpected());
    }

    /** Returns whether nobody is let in any more. */
    boolean isShut() {
        return terms.use == Terms.Use.ENDING ? state.isDown() : state != ClientState.OPEN;
    }

    Failure shut() {
        return Failure.shut(state.isOver(), "The lock '" + terms.name + "' cannot be had: ");
    }

    /** Returns why a claim's answer is missing, as the end of a sentence or empty; other claims may have been answered. */
    public String lastFailure(@Nullable Stay stay) {
        String failure = stay == null ? null : stay.inFlight.failure;
        return failure == null ? client.lastFailure() : ": " + failure;
    }

    // What turns, time limits and claims ask for.

    Stay newStay(String thread, String behalf, boolean ifFree, long atLeast) {
        long lease = terms.isFixed ? 0 : terms.spec.lease();
        Owner owner = client.owner(thread, behalf).withLease(lease);
        return new Stay(client.nextClaimId(), terms, ifFree, atLeast / 1000, owner, now);
    }

    /** Returns the claim for which a caller waits; null if there is none, or another of this client holds by it. */
    @Nullable
    Stay awaited(Caller caller) {
        Turn its = caller.isWaiting() ? caller.turn : null;
        if (its == null || (!terms.isShared && its.holders.size > 0)) {
            return null;
        }
        return vacated == null ? its.stay : vacated;
    }

    /** Ends a wait without the lock. */
    void end(Caller caller, Failure how) {
        effects.ended(caller, how, now); // first: what fails is done again
        if (caller.isWaiting() && caller.list != null) {
            caller.list.remove(caller);
        }
        caller.failure = how;
        forget(caller); // last, as it may fail: whoever is woken up sees how the wait has ended
    }

    /** Ends a wait, at once or when a claim that nobody wants any more has left the store, in a moment. */
    void depart(Caller caller, Failure how, boolean atOnce) {
        Turn turn = Objects.requireNonNull(caller.turn);
        boolean unused = turn.queue.size + turn.holders.size == 1 && turn.stay != null; // but for itself
        if (unused && !terms.isShared && how.end() != WaitEnd.CANCELLED && terms.use != Terms.Use.ONE) {
            keeping = keeping == null ? new Keeping(0) : keeping;
            keeping.expectTry(now);
            unused = !keeping.isPlaceKept();
        }
        boolean leaves = unused && !mayKeep(turn);
        if (leaves && !atOnce) {
            look(caller, now + InFlight.SLOW);
            caller.leaving = how;
            turn.queue.remove(caller);
        } else {
            end(caller, how); // first, as nobody else would tell it if the leave failed
        }
        if (leaves) {
            turn.leave(atOnce ? null : caller);
        }
    }

    /** Has a caller looked at then. */
    private void look(Caller caller, long at) {
        limits = limits == null ? new TimeLimits(this) : limits;
        limits.set(caller, at);
    }

    /** Ends a hold at that instant, unless it is over before, or is never to end. */
    private void limit(Caller hold, long end) {
        Stay stay = hold.stay();
        // Of a claim that has ended the move that was asked for last is over, too: it is told, and moves nothing.
        if (end != Caller.NEVER && stay != null && !stay.isOver() && hold.holding() != null) {
            hold.limit = end;
            look(hold, end);
        }
    }

    /** Waits no longer for anything on behalf of a caller. */
    private void forget(Caller caller) {
        if (limits != null) {
            limits.forget(caller);
        }
    }

    /** A caller holds from now on. */
    void begun(Caller caller, Stay stay) {
        forget(caller);
        if (caller.limit != Caller.NEVER) {
            look(caller, caller.limit);
        }
        if (caller.isKept(now)) {
            stay.outlive(caller.keptUntil, now);
            stays.transmit(stay);
        }
    }

    /** A hold ends: nothing is due for it, and no upgrade of it is to be decided. */
    void holdEnds(Caller caller) {
        Turn turn = caller.turn;
        if (turn != null && turn.upgrade != null) {
            effects.told(turn.upgrade, null);
            turn.upgrade = null;
        }
        forget(caller);
    }

    void released(Caller caller, ReleaseOutcome outcome) {
        caller.release(now);
        effects.released(caller, outcome);
    }

    /** Gives back what a caller holds beside others, and has the claim renewed for as long as the lock is to stay taken. */
    void keepReleased(Caller caller, Stay stay) {
        Caller.Ticket ticket = new Caller.Ticket(caller);
        ticket.request = stay.inFlight.number + 1;
        stay.ask(ticket);
        caller.release(now);
        look(caller, now + 2 * client.requestTimeout());
        stays.transmit(stay);
    }

    /** The store has not said in time whether it keeps what was given back beside others. */
    void keptInDoubt(Caller caller) {
        Stay stay = caller.stay();
        if (stay != null && stay.askers != null) {
            stay.askers.removeIf(ticket -> ticket.hold == caller
                    && ticket.request > 0
                    && tellIfAnswered(ticket, ReleaseOutcome.UNKNOWN, ticket.request));
        }
    }

    /** Tells what became of the leave of a claim to the one who gave it up, or back. */
    void tellLeft(Caller caller, ReleaseOutcome outcome) {
        if (caller.leaving == null) {
            if (outcome == ReleaseOutcome.ALREADY_LOST) {
                effects.lost(caller, Loss.NOT_THERE, now);
            }
            effects.released(caller, outcome);
        } else if (caller.isPending()) { // else the time for that was over
            end(caller, caller.leaving);
        }
    }

    /** Tells those who wait for an answer; what became of what was given back beside others, once the answer to that is there. */
    void tellAsked(Stay stay, ReleaseOutcome released, int answered) {
        List<Caller.Ticket> tickets = stay.askers;
        if (tickets != null
                && tickets.removeIf(ticket -> tellIfAnswered(ticket, released, answered))
                && tickets.isEmpty()) {
            stay.askers = null;
        }
    }

    /** Tells one of them, unless a later answer is to tell it; returns whether it was told. */
    private boolean tellIfAnswered(Caller.Ticket ticket, ReleaseOutcome released, int answered) {
        if (ticket.request == 0) {
            tell(ticket, null);
        } else if (ticket.request <= answered) {
            tellLeft(ticket.hold, released);
            forget(ticket.hold);
        }
        return ticket.request <= answered;
    }

    void tell(@Nullable List<Caller.Ticket> tickets, @Nullable String refusal) {
        for (int i = 0; tickets != null && i < tickets.size(); i++) {
            tell(tickets.get(i), refusal);
        }
    }

    private void tell(Caller.Ticket ticket, @Nullable String refusal) {
        if (refusal == null && ticket.move == ticket.hold.moves) { // else a later one counts
            limit(ticket.hold, ticket.end);
        }
        effects.told(ticket, refusal);
    }

    /** A change of weight was made, or refused. */
    void reweighted(Stay stay, boolean made) {
        Turn turn = turnOf(stay);
        Caller.Ticket upgrade = turn == null ? null : turn.upgrade;
        if (turn == null || upgrade == null) {
            return;
        }
        if (upgrade.isGivenUp && made) {
            stays.reweight(stay, stay.weight()); // which is what it was before
        } else if (!upgrade.isGivenUp && made && upgrade.hold.holding() != null) {
            Caller next = upgrade.hold.successor(now);
            holdEnds(upgrade.hold); // which tells it, once this step is over
            upgrade.next = next;
            succeed(turn, upgrade.hold, next, false);
        } else if (!upgrade.isGivenUp) {
            effects.told(upgrade, null);
        }
        turn.upgrade = null; // last: what fails is done again
    }

    /** Ends a hold whose weight was changed, in favour of another. */
    private void succeed(Turn turn, Caller hold, Caller next, boolean inside) {
        holdEnds(hold);
        turn.holders.remove(hold);
        turn.holders.add(next);
        next.turn = turn;
        hold.release(now);
        effects.succeeded(hold, next, inside);
        limit(next, next.limit);
    }

    /** Sets a hold apart whose weight changes: its claim is not shared or handed on, and those who wait enter another. */
    private void seal(Turn turn) {
        if (turn.queue.size > 0) {
            Turn others = new Turn(this);
            turns.add(others); // first, as it may fail
            turn.queue.forEach(caller -> {
                turn.queue.remove(caller);
                others.queue.add(caller);
                caller.turn = others;
            });
        }
        turn.isSealed = true;
    }

    @Nullable
    Turn turnOf(Stay stay) {
        for (int i = 0; i < turns.size(); i++) {
            if (turns.get(i).stay == stay) {
                return turns.get(i);
            }
        }
        return null;
    }

    int localWaiters(Stay stay) {
        Turn turn = turnOf(stay);
        return turn == null ? 0 : turn.localWaiters();
    }

    /** Returns who of this client has the lock by a claim now; null if nobody has. */
    public @Nullable Present present(Stay stay) {
        Turn turn = turnOf(stay);
        return turn == null ? null : observer == null ? turn.present() : new Present(observer, "", stay.since, "");
    }

    private void forEachStay(Consumer<Stay> action) {
        for (Stay stay : List.copyOf(stays.all)) {
            if (!stay.isEnded) { // by what was done for another
                action.accept(stay);
            }
        }
    }

    // What is shown.

    /** Returns the first token of a sequence. */
    public static long firstToken(long sequence) {
        return Math.multiplyExact(sequence, Claim.TOKENS);
    }

    /** Returns when to call {@link #tick} at the latest; {@link Long#MAX_VALUE} for never. */
    public long due() {
        long due = limits == null ? Caller.NEVER : limits.due();
        for (int i = 0; i < turns.size(); i++) {
            due = turns.get(i).due(due);
        }
        for (int i = 0; i < stays.all.size(); i++) {
            due = Caller.earlier(due, stays.all.get(i).due(client));
        }
        return keeping == null ? due : Caller.earlier(due, keeping.due());
    }

    /** Shows all who hold and wait. */
    public void visit(Consumer<? super Caller> holds, Consumer<? super Caller> waits) {
        for (Turn turn : turns) {
            turn.holders.forEach(holds);
            turn.queue.forEach(waits);
        }
    }

    /** Shows the claims that stand in the queue or are granted, with how many callers stand behind each. */
    public void visitClaims(ObjIntConsumer<Stay> claims) {
        for (Turn turn : turns) {
            if (turn.stay != null) {
                claims.accept(turn.stay, turn.localWaiters());
            }
        }
    }

    /** Returns why the claim for which a caller waits is out of touch, as the end of a sentence; empty if it is not. */
    public String silence(Caller caller) {
        Stay awaited = awaited(caller);
        return awaited != null && awaited.isOutOfTouch() ? lastFailure(awaited) : "";
    }

    /**
     * What a step of a {@link Machine} calls for. Called within the step; whatever is sent or told follows it, in this order. What
     * throws, as no memory is left, is called for again: so others may be told twice.
     */
    public interface Effects {
        /** A claim is there from now on: what the store says of it is for this machine. */
        void begun(Stay stay);

        /** Returns whether the claim's enter is to wait at home; {@link Machine#sendDelayed} is called when it need not any more. */
        boolean delays(Stay stay);

        /** Returns whether others of this client were told to wait since the claim's enter waits at home behind them. */
        default boolean isBehindOthers(Stay stay) {
            return false;
        }

        /** Sends a request; its answer is for {@link Machine#answered}. */
        void send(Stay stay, Request request, int number, boolean leave);

        /** Sends a renewal with others that fall due, with the same to follow. */
        void renew(Stay stay, Request.Renew request, int number);

        /** Sends what shows who has the lock; a failure is for {@link Machine#notDescribed}. */
        void describe(Stay stay, Request.Describe request);

        /** Counts an enter that was given up and may be on its way ({@code true}), or is not any more. */
        void unclear(Stay stay, boolean is);

        /** The store keeps a claim that was given back, for so many nanoseconds. */
        void kept(Stay stay, long nanos);

        /** A claim is over: nothing of it is left here. */
        void over(Stay stay);

        /** A caller has the lock from now on, with that token; {@code handOff} if the client had it already. */
        void granted(Caller caller, long token, boolean handOff, long now);

        /** A caller waits for what another one of this client holds. */
        default void waitsFor(Caller caller, Caller holder) {}

        /** The lock is free for a caller that is to come and take it. */
        void invited(Caller caller);

        /** A wait is over without the lock. */
        void ended(Caller caller, Failure how, long now);

        /** What a caller gave back is free, or was lost, or nobody knows: told in the step that takes it back, or later. */
        void released(Caller caller, ReleaseOutcome outcome);

        /** A hold goes on under another handle, with another weight; whoever listens to the one listens to the other if {@code inside}. */
        void succeeded(Caller caller, Caller next, boolean inside);

        /** A hold is lost. */
        void lost(Caller caller, Loss loss, long now);

        /** The store's word for which somebody waits is there: what it refused and why, or nothing. */
        void told(Caller.Ticket ticket, @Nullable String refusal);

        /** There is something to be read by those who observe. */
        void noticed();

        /** Something for the log, of that kind. */
        void warn(String kind, String text);

        /** The store refused a claim. */
        void refused(String reason);

        /** Nobody uses the machine any more. */
        void retired();
    }
}
