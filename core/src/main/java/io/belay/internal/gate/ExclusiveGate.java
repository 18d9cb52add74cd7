package io.belay.internal.gate;

import io.belay.LossReason;
import io.belay.Release;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.ClaimOwner;
import io.belay.internal.claim.LiveClaim;
import io.belay.internal.claim.Present;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The gate of a lock that one holder at a time has: it enters one claim on the store and hands its grant from waiter
 * to waiter, which costs no network (lock cohorting: Dice, Marathe and Shavit, 2012). After a time slice it yields,
 * so that other clients get their turn. An acquisition in strict order, with a fixed lease or of permits has a gate,
 * and so a claim, to itself, and so has a try while the store is being asked for another waiter.
 *
 * <p>A sticky lock's gate keeps its claim when nobody in this client wants it any more, until somebody elsewhere does
 * or a time is over; to take the lock again then costs no network either. A client that tries again and again keeps
 * its place in the store's queue between the tries.
 */
public final class ExclusiveGate extends Gate implements ClaimOwner {
    /** The time for which a client that tries again and again is content with an answer, in nanoseconds. */
    private static final long FRESH = 1_000_000_000;

    private final WaiterQueue queue = new WaiterQueue();
    private @Nullable Hold holder;
    private final ClientTurn turn;
    private final IdleTimer idle;
    private final KeptPlace place;
    /** The claim of a kept place that is being left, so that a try which does not wait can ask for itself. */
    private @Nullable LiveClaim vacated;
    /** True after a short hold, until the next waiter runs: threads that run already may come before it. */
    private boolean open;
    /** The holds whose weight was changed; each has its claim to itself. There are hardly ever any. */
    private final List<Hold> detached = new ArrayList<>(0);

    private ExclusiveGate(Surroundings around, GateKey key, long fixedLease, boolean forAll) {
        super(around, key);
        idle = new IdleTimer(this, key.idle());
        place = new KeptPlace(this, forAll);
        turn = new ClientTurn(around.engine(), key, fixedLease, steps);
    }

    /** Returns a gate for all callers of a lock that are content with the order of their turns. */
    static ExclusiveGate forAll(Surroundings around, GateKey key) {
        return new ExclusiveGate(around, key, 0, true);
    }

    /** Returns a gate for one acquisition, with a fixed lease in microseconds or 0. */
    static ExclusiveGate forOne(Surroundings around, GateKey key, long fixedLease) {
        return new ExclusiveGate(around, key, fixedLease, false);
    }

    @Override
    Entry enterNow(Waiter waiter, long wait) {
        boolean kept = place.isKept();
        place.tried();
        if (isFree() && (queue.isEmpty() || mayBarge())) {
            waiter.awake();
            queue.addFirst(waiter);
        } else if (waiter.request.ifFree() && !(turn.claim() == null && queue.isEmpty())) {
            if (kept) {
                vacate();
                queue(waiter, queue, false);
            } else if (turn.isEntering()
                    && queue.size() == 1
                    && queue.first().request.ifFree()) {
                return Entry.APART; // nobody is known to have the lock or to wait for it
            } else {
                end(waiter, Outcome.NOT_HAD);
                return Entry.ENTERED;
            }
        } else {
            queue(waiter, queue, turn.isGranted());
        }
        if (wait != Long.MAX_VALUE) {
            waiter.waitFor(wait);
        }
        return Entry.ENTERED;
    }

    /**
     * Returns whether others may come before the next waiter, as that is still being woken up. Once it is awake
     * nobody comes before it, so it waits no longer than for one more hold.
     */
    boolean mayBarge() {
        return open && !queue.first().isAwake() && !turn.isOver(engine().time().nanos());
    }

    private boolean isFree() {
        return holder == null && turn.isGranted();
    }

    @Override
    void settle() {
        if (isShut()) {
            failAll(queue, Messages.shut(name(), engine().isOver()));
        }
        if (engine().isDown()) {
            giveUpAll(engine().time().nanos());
        }
        while (!queue.isEmpty() && isFree() && letIn()) {}
        if (turn.claim() == null && !queue.isEmpty() && vacated == null) {
            turn.enter(queue.firstInTime(), this);
        } else if (queue.isEmpty() && holder == null) {
            keepOrLeave();
        }
    }

    /** Gives the free lock to the next waiter; returns whether there may be more to do at once. */
    private boolean letIn() {
        LiveClaim held = turn.granted();
        Waiter next = queue.first();
        if (turn.isSpent()) {
            held.yield();
            return false;
        }
        if (open && !next.isAwake()) {
            if (next.invite()) {
                steps.later(next::wake);
            }
            return false;
        }
        return handOn(held, next);
    }

    /** Hands the lock on, unless too little of the lease is left: then the claim is renewed first. */
    private boolean handOn(LiveClaim held, Waiter next) {
        long now = engine().time().nanos();
        if (!turn.isReady(held, now)) {
            return false;
        }
        queue.remove(next);
        boolean handOff = turn.isBegun();
        long token = turn.nextToken();
        long seen = next.request.highestToken().raise(token);
        if (seen >= token) {
            end(next, Messages.wentBack(name(), token, seen));
            return true;
        }
        if (turn.needsFreshSequence()) {
            held.refresh(now);
        }
        Hold hold = new Hold(this, held, token, next.request, now);
        holder = hold;
        begin(hold, next, handOff);
        return false;
    }

    /** Keeps a sticky claim for a while, or leaves the store and retires; called while nobody holds or waits. */
    private void keepOrLeave() {
        if (mayKeep()) {
            idle.unused(engine().time().nanos());
            return;
        }
        if (engine().isClosing()) {
            place.cancel();
        }
        if (isFree() || !place.isKept()) {
            leaveIfThere();
        }
        if (detached.isEmpty() && !place.isExpected()) {
            idle.cancel();
            retire();
        }
    }

    /** Notes that the time in which another try was expected is over. */
    void noTry(long now) {
        steps.run(() -> place.notTried(now));
    }

    private boolean mayKeep() {
        return idle.mayKeep() && isFree() && !turn.isWanted() && !engine().isClosing();
    }

    private CompletableFuture<Release> leaveIfThere() {
        LiveClaim claim = turn.claim();
        turn.end();
        return claim == null ? RELEASED : leave(claim);
    }

    @Override
    public void changed(LiveClaim changed, Belief before, long now) {
        Belief belief = changed.belief();
        if (changed != turn.claim()) {
            if (belief.phase() == Belief.Phase.LOST) {
                detachedBy(changed).ifPresent(hold -> {
                    detached.remove(hold);
                    lose(hold, belief.loss(), belief.reason(), now);
                });
            }
            return;
        }
        switch (belief.phase()) {
            case HELD -> {
                boolean begins = before.phase() != Belief.Phase.HELD;
                turn.granted(belief.sequence(), begins, now);
                open &= !begins;
            }
            case LOST, GONE -> {
                turn.lost(belief, !turn.isBegun() && !queue.isEmpty(), now);
                failIfHopeless(queue, turn.late());
                loseHolder(belief.loss(), belief.reason(), now);
            }
            case BUSY, REFUSED, FAILED -> {
                turn.end();
                notTaken(queue, belief);
            }
            default -> {}
        }
    }

    /** Leaves the place that stands for no waiter: what the store last said of it is no answer to a new question. */
    private void vacate() {
        LiveClaim left = turn.claim();
        vacated = left;
        leaveIfThere()
                .thenRun(() -> steps.run(() -> {
                    vacated = null;
                    queue.forEach(waiter -> waiter.due = waiter.due == left ? null : waiter.due);
                }));
    }

    @Override
    public int localWaiters() {
        return holder == null ? Math.max(0, queue.size() - 1) : queue.size();
    }

    @Override
    void arrive(Waiter waiter) {
        steps.run(waiter::awake);
    }

    /** Gives the claim back if nobody has used it for long enough; called when the idle timer fires. */
    void idle(long now) {
        steps.run(() -> {
            boolean inUse = holder != null || !queue.isEmpty();
            if (idle.isOver(now, inUse) && isFree()) {
                leaveIfThere();
            }
        });
    }

    @Override
    void releaseNow(Hold hold, long now) {
        notice(hold, now);
        if (detached.remove(hold)) {
            endTimer(hold);
            giveBackAndLeave(hold, now);
        } else if (holder != hold) {
            hold.giveBack(ALREADY_LOST);
        } else {
            holder = null;
            endTimer(hold);
            turn.used(now);
            // Beside a long hold it matters little how long somebody takes to wake up, and much who comes first.
            open = key().barging() && now - hold.acquired < turn.slice() / 4;
            if (hold.isKept(now)) {
                turn.end(); // those who wait in this client enter anew, behind all others
                giveBackAndLeave(hold, now);
            } else if (!queue.isEmpty()) {
                countRelease(hold, now);
                hold.giveBack(RELEASED);
            } else if (mayKeep()) {
                countRelease(hold, now);
                hold.giveBack(RELEASED);
                idle.used(now);
            } else {
                turn.end();
                giveBackAndLeave(hold, now);
                if (place.isRepeated()) {
                    place.ended(now);
                }
            }
        }
    }

    @Override
    void notice(Hold hold, long now) {
        if (!holds(hold)) {
            return;
        }
        hold.claim().expire(now);
        if (!holds(hold) || hold.limit == Long.MAX_VALUE || now - hold.limit < 0) {
            return;
        }
        leaveLost(hold, now); // before anybody is told, who may tell others
        lose(hold, LossReason.MAX_HOLD, Messages.MAX_HOLD, now);
        if (!detached.remove(hold)) {
            holder = null;
            turn.end();
        }
    }

    /** Loses what is held, as the client is paused or closed; that is told before others can have the lock. */
    private void giveUpAll(long now) {
        String why = Messages.taken(engine().isOver());
        for (Hold hold : detached) {
            lose(hold, LossReason.CLOSED, why, now);
            leaveLost(hold, now);
        }
        detached.clear();
        if (holder != null && holder.isKept(now)) {
            leaveLost(holder, now);
            turn.end();
        }
        loseHolder(LossReason.CLOSED, why, now); // its claim leaves since nobody uses it now
    }

    private void loseHolder(LossReason reason, @Nullable String why, long now) {
        Hold lost = holder;
        if (lost != null) {
            holder = null;
            lose(lost, reason, why, now);
        }
    }

    @Override
    boolean holds(Hold hold) {
        return holder == hold || detached.contains(hold);
    }

    @Override
    void forEachHold(Consumer<Hold> action) {
        if (holder != null) {
            action.accept(holder);
        }
        detached.forEach(action);
    }

    @Override
    void forEachWaiter(Consumer<Waiter> action) {
        queue.forEach(action);
    }

    @Override
    public @Nullable Present present(LiveClaim claim) {
        Hold held = claim == turn.claim() ? holder : detachedBy(claim).orElse(null);
        return held == null ? null : held.present();
    }

    private Optional<Hold> detachedBy(LiveClaim claim) {
        return detached.stream().filter(hold -> hold.claim() == claim).findAny();
    }

    @Override
    boolean isShared(Hold hold) {
        return false;
    }

    @Override
    void replace(Hold hold, Hold next) {
        if (holder == hold) {
            holder = next;
        } else {
            detached.set(detached.indexOf(hold), next);
        }
    }

    @Override
    void detach(LiveClaim claim) {
        Hold held = holder;
        if (held != null && held.claim() == claim) {
            detached.add(held);
            holder = null;
            turn.end();
        }
    }

    @Override
    @Nullable
    LiveClaim awaited(Waiter waiter) {
        if (holder != null) {
            return null;
        }
        return vacated == null ? turn.claim() : vacated;
    }

    @Override
    boolean isLate() {
        return turn.isLate();
    }

    @Override
    LateGrants late(Waiter waiter) {
        return turn.late();
    }

    @Override
    CompletableFuture<Release> remove(Waiter waiter) {
        queue.remove(waiter);
        return queue.isEmpty() && holder == null && !mayKeep() ? leaveIfThere() : RELEASED;
    }

    @Override
    CompletableFuture<Release> removeLate(Waiter waiter, long now) {
        if (holder != null || queue.size() > 1) {
            return remove(waiter);
        }
        place.ended(now);
        if (!place.isKept()) {
            return remove(waiter);
        }
        queue.remove(waiter);
        return RELEASED;
    }

    @Override
    boolean isFreshEnough(LiveClaim claim, long now) {
        Belief.Anchor last = claim.belief().anchor();
        return place.isRepeated() && last != null && now - last.sent() < FRESH;
    }

    @Override
    void localInfo(Consumer<LocalClaimInfo> viewer) {
        steps.run(() -> {
            LiveClaim claim = turn.claim();
            if (claim != null) {
                viewer.accept(new LocalClaimInfo(claim.id(), present(claim), localWaiters()));
            }
        });
    }
}
