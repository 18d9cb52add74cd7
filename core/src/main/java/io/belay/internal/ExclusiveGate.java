package io.belay.internal;

import io.belay.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The gate of a lock that one holder at a time has: it enters one claim on the store and hands its grant from waiter to
 * waiter, which costs no network (lock cohorting: Dice, Marathe and Shavit, 2012). After a time slice it yields, so that
 * other clients get their turn. An acquisition in strict order or with a fixed lease has a gate, and so a claim, to
 * itself.
 *
 * <p>A sticky lock's gate keeps its claim when nobody here wants it any more, until somebody elsewhere does or a time is
 * over; to take the lock again then costs no network either.
 */
final class ExclusiveGate extends Gate implements LiveClaim.Owner {
    private final WaiterQueue queue = new WaiterQueue();
    /**
     * Who wants the lock at once or not at all, and came while the store was being asked for another such waiter. If that
     * was too early for the one, it need not be for the other.
     */
    private final WaiterQueue late = new WaiterQueue();

    private @Nullable Hold holder;
    private final Turn turn;
    private final IdleTimer idle;
    /** Holds whose weight was changed; each has its claim to itself. Hardly ever any. */
    private final List<Hold> aside = new ArrayList<>(0);

    private ExclusiveGate(Engine engine, Key key, long fixedLease, boolean listed) {
        super(engine, key, listed);
        idle = new IdleTimer(this, key.idle());
        turn = new Turn(engine, key, fixedLease);
    }

    /** A gate for all callers of a lock that are content with the order of their turns. */
    static ExclusiveGate shared(Engine engine, Key key) {
        return new ExclusiveGate(engine, key, 0, true);
    }

    /** A gate for one acquisition, with a fixed lease in microseconds or 0. */
    static ExclusiveGate alone(Engine engine, Key key, long fixedLease) {
        return new ExclusiveGate(engine, key, fixedLease, false);
    }

    @Override
    void enterNow(Waiter waiter, long wait) {
        if (engine().isClosed()) {
            end(waiter, Messages.closed(name()));
            retireIfIdle();
        } else if (isFree() && (queue.isEmpty() || mayBarge())) {
            queue.addFirst(waiter);
            if (wait != Long.MAX_VALUE) {
                waiter.waitFor(wait);
            }
            handOn(engine().time().nanos());
        } else if (waiter.request.ifFree() && (turn.claim() != null || !queue.isEmpty()) && !isOnlyTried()) {
            end(waiter, Waiter.NOT_HAD);
        } else {
            (isOnlyTried() && waiter.request.ifFree() ? late : queue).add(waiter);
            if (wait != Long.MAX_VALUE) {
                waiter.waitFor(wait);
            }
            if (turn.claim() == null) {
                enterClaim();
            }
        }
    }

    /** Whether nobody is known to have the lock or to wait for it, and the store is being asked whether that is so. */
    private boolean isOnlyTried() {
        return turn.isTry() && queue.size() == 1;
    }

    /**
     * Whether the next waiter is still being woken up. Once that one is awake nobody comes before it, so it waits no
     * longer than for one more hold.
     */
    private boolean mayBarge() {
        return !queue.first().isAwake() && !turn.isOver(engine().time().nanos());
    }

    private boolean isFree() {
        return holder == null && turn.isGranted();
    }

    /** The lock is free for the next waiter: for a thread once it runs, unless somebody comes before it. */
    private void offer(Hold after, long now) {
        Waiter next = queue.first();
        // Beside a long hold it matters little how long somebody takes to wake up, and much who comes first.
        boolean brief = now - after.acquired < key().slice() / 4;
        if (!key().barging() || !brief || next.isAwake()) {
            handOn(now);
        } else if (next.invite()) {
            exclusive.later(next::wake);
        }
    }

    @Override
    void arrive(Waiter waiter) {
        exclusive.run(() -> {
            waiter.awake();
            if (isFree() && !queue.isEmpty() && queue.first() == waiter) {
                handOn(engine().time().nanos());
            }
        });
    }

    private void enterClaim() {
        late.forEach(waiter -> waiter.asked = true);
        turn.enter(queue.first(), this, exclusive);
    }

    @Override
    public int localWaiters() {
        return holder == null ? Math.max(0, queue.size() - 1) : queue.size();
    }

    @Override
    public void changed(LiveClaim changed, Belief before, long now) {
        Belief belief = changed.belief();
        if (changed != turn.claim()) {
            if (belief.phase() == Belief.Phase.LOST) {
                asideBy(changed).ifPresent(hold -> {
                    aside.remove(hold);
                    lose(hold, belief.reason(), now);
                    retireIfIdle();
                });
            }
            return;
        }
        switch (belief.phase()) {
            case HELD -> granted(before, belief, now);
            case LOST -> {
                turn.end();
                loseHolder(belief.reason(), now);
                goOn();
            }
            case GONE -> {
                turn.end();
                goOn();
            }
            case BUSY -> {
                turn.end();
                refuse(queue, waiter -> waiter.request.ifFree());
                refuse(late, waiter -> waiter.asked);
                goOn();
            }
            case REFUSED -> {
                turn.end();
                failAll(Messages.refused(name(), belief.reason()));
                goOn();
            }
            case FAILED -> {
                turn.end();
                failAll(Messages.unusable(name(), belief.reason()));
                goOn();
            }
            default -> {}
        }
    }

    private void refuse(WaiterQueue waiters, Predicate<Waiter> which) {
        for (Waiter w = waiters.poll(which); w != null; w = waiters.poll(which)) {
            end(w, Waiter.NOT_HAD);
        }
    }

    private void failAll(Waiter.Failure failure) {
        failAll(queue, failure);
        failAll(late, failure);
    }

    private void granted(Belief before, Belief belief, long now) {
        turn.granted(belief.sequence(), before.phase() != Belief.Phase.HELD, now);
        if (holder == null) {
            handOn(now);
        }
    }

    /** Gives the held claim to the next waiter, unless too little of the lease is left: then it is renewed first. */
    private void handOn(long now) {
        LiveClaim held = turn.claim();
        if (engine().isClosed()) {
            failAll(Messages.closed(name()));
        }
        if (held == null || queue.isEmpty()) {
            goOn();
            return;
        }
        if (!turn.isReady(held, now)) {
            return;
        }
        if (turn.isUsedUp()) {
            held.yield();
            return;
        }
        Waiter next = queue.poll();
        long token = turn.nextToken();
        long seen = next.request.lock().raiseToken(token);
        if (seen >= token) {
            end(next, Messages.wentBack(name(), token, seen));
            goOn();
            return;
        }
        if (turn.needsFreshSequence()) {
            held.refresh();
        }
        Hold hold = new Hold(this, held, token, next.request, now);
        holder = hold;
        begin(hold, next);
        refuse(late, waiter -> true);
    }

    /** Nobody holds: enters again if somebody waits, else keeps the claim, or leaves the store and retires. */
    private void goOn() {
        LiveClaim claim = turn.claim();
        if (claim == null && !late.isEmpty()) {
            if (queue.isEmpty()) {
                queue.add(late.poll());
            } else {
                refuse(late, waiter -> true); // others wait before them
            }
        }
        if (claim == null && !queue.isEmpty()) {
            enterClaim();
        } else if (queue.isEmpty() && holder == null) {
            leaveOrKeep();
        } else if (claim != null && isFree()) {
            claim.yield();
        }
    }

    private void leaveOrKeep() {
        if (mayKeep()) {
            idle.unused(engine().time().nanos());
        } else {
            leave(null);
        }
    }

    private boolean mayKeep() {
        return idle.mayKeep() && isFree() && !turn.isWanted() && !engine().isClosed();
    }

    /** The idle timer fired. */
    void idle(long now) {
        exclusive.run(() -> {
            boolean inUse = holder != null || !queue.isEmpty();
            if (idle.isOver(now, inUse) && isFree()) {
                leave(null);
            }
        });
    }

    private void leave(@Nullable Consumer<Release> outcome) {
        LiveClaim claim = turn.claim();
        if (claim != null) {
            claim.leave(outcome);
            turn.end();
        }
        if (late.isEmpty()) {
            retireIfIdle();
        } else {
            goOn();
        }
    }

    private void retireIfIdle() {
        if (turn.claim() == null && holder == null && queue.isEmpty() && aside.isEmpty()) {
            idle.cancel();
            retire();
        }
    }

    @Override
    void releaseNow(Hold hold, long now) {
        notice(hold, now);
        if (aside.remove(hold)) {
            endTimer(hold);
            CompletableFuture<Release> outcome = new CompletableFuture<>();
            hold.giveBack(outcome);
            hold.claim().leave(outcome::complete);
            retireIfIdle();
            return;
        }
        if (holder != hold) {
            hold.giveBack(ALREADY_LOST);
            return;
        }
        endHold(hold);
        if (queue.isEmpty() && mayKeep()) {
            hold.giveBack(RELEASED);
            idle.used(now);
            return;
        }
        if (queue.isEmpty()) {
            CompletableFuture<Release> outcome = new CompletableFuture<>();
            hold.giveBack(outcome);
            leave(outcome::complete);
            return;
        }
        hold.giveBack(RELEASED);
        if (turn.isOver(now)) {
            hold.claim().yield();
        } else {
            offer(hold, now);
        }
    }

    private void endHold(Hold hold) {
        holder = null;
        endTimer(hold);
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
        hold.claim().leave(null); // before anybody is told, who may tell others
        lose(hold, "it was held for longer than its maxHold", now);
        if (aside.remove(hold)) {
            retireIfIdle();
        } else {
            holder = null;
            turn.end();
            goOn();
        }
    }

    private void loseHolder(@Nullable String why, long now) {
        Hold lost = holder;
        if (lost != null) {
            holder = null;
            lose(lost, why, now);
        }
    }

    @Override
    boolean holds(Hold hold) {
        return holder == hold || aside.contains(hold);
    }

    private Optional<Hold> asideBy(LiveClaim claim) {
        return aside.stream().filter(hold -> hold.claim() == claim).findAny();
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
            aside.set(aside.indexOf(hold), next);
        }
    }

    @Override
    void setAside(LiveClaim claim) {
        Hold held = holder;
        if (held != null && held.claim() == claim) {
            aside.add(held);
            holder = null;
            turn.end();
            goOn();
        }
    }

    @Override
    @Nullable
    LiveClaim awaited(Waiter waiter) {
        return holder == null ? turn.claim() : null;
    }

    @Override
    void remove(Waiter waiter, long now) {
        if (!late.remove(waiter)) {
            queue.remove(waiter);
            leaveIfUnwanted(now);
        }
    }

    /** A waiter went: nobody may be left, or the lock was free for that one. */
    private void leaveIfUnwanted(long now) {
        if (queue.isEmpty() && holder == null) {
            leaveOrKeep();
        } else if (isFree()) {
            handOn(now);
        }
    }

    @Override
    public void close() {
        exclusive.run(() -> {
            failAll(Messages.closed(name()));
            Hold held = holder;
            if (held != null) {
                endHold(held);
                held.giveBack(RELEASED);
            }
            for (Hold other : aside) {
                endTimer(other);
                other.giveBack(RELEASED);
                other.claim().leave(null);
            }
            aside.clear();
            leave(null);
        });
    }

    @Override
    void glimpse(Consumer<Glimpse> viewer) {
        exclusive.run(() -> {
            LiveClaim claim = turn.claim();
            if (claim != null) {
                Thread thread = holder == null ? null : holder.thread();
                viewer.accept(new Glimpse(claim.id(), thread == null ? null : thread.getName(), localWaiters()));
            }
        });
    }
}
