package io.belay.internal;

import io.belay.LeaseLostException;
import io.belay.Release;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where everybody in this client who wants one lock queues: the gate enters one claim on the store and hands its grant
 * from waiter to waiter, which costs no network (lock cohorting: Dice, Marathe and Shavit, 2012). After a time slice it
 * yields, so that other clients get their turn. An acquisition in strict order or with a fixed lease has a gate, and so
 * a claim, to itself.
 *
 * <p>A sticky lock's gate keeps its claim when nobody here wants it any more, until somebody elsewhere does or a time is
 * over; to take the lock again then costs no network either.
 *
 * <p>All state is guarded by one lock that is never held while anything is sent or anybody is called; what is to follow
 * goes to the outbox. A gate that nobody uses retires: it is not found any more and leaves nothing behind.
 */
final class Gate implements LiveClaim.Owner {
    /**
     * What gates are found by.
     *
     * @param name the lock's full name
     * @param lease the lease that is renewed, in microseconds
     * @param slice the time slice, in nanoseconds
     * @param barging whether who runs may come before who is being woken up
     * @param idle for how long the claim is kept after its last use, in nanoseconds; 0 if it is not
     */
    record Key(String name, long lease, long slice, boolean barging, long idle) {}

    /** How soon a waiter whose time is over looks again for an answer that is due, in nanoseconds. */
    private static final long ANSWER_CHECK = 1_000_000;

    private static final CompletableFuture<Release> RELEASED = CompletableFuture.completedFuture(Release.RELEASED);
    private static final CompletableFuture<Release> ALREADY_LOST =
            CompletableFuture.completedFuture(Release.ALREADY_LOST);

    private final Engine engine;
    private final Key key;
    private final boolean shared;
    private final Exclusive exclusive = new Exclusive();
    private final WaiterQueue queue = new WaiterQueue();
    private @Nullable Hold holder;
    private final Turn turn;
    private final IdleTimer idle;
    private boolean retired;

    private Gate(Engine engine, Key key, long fixedLease, boolean shared) {
        this.engine = engine;
        this.key = key;
        this.shared = shared;
        idle = new IdleTimer(this, key.idle());
        turn = new Turn(engine, key, fixedLease);
    }

    /** A gate for all callers of a lock that are content with the order of their turns. */
    static Gate shared(Engine engine, Key key) {
        return new Gate(engine, key, 0, true);
    }

    /** A gate for one acquisition, with a fixed lease in microseconds or 0. */
    static Gate alone(Engine engine, Key key, long fixedLease) {
        return new Gate(engine, key, fixedLease, false);
    }

    Engine engine() {
        return engine;
    }

    String name() {
        return key.name();
    }

    /** Queues the waiter, for at most that many nanoseconds. False if the gate has retired: find another. */
    boolean enter(Waiter waiter, long wait) {
        boolean[] entered = new boolean[1];
        exclusive.run(() -> entered[0] = !retired && enterNow(waiter, wait));
        return entered[0];
    }

    private boolean enterNow(Waiter waiter, long wait) {
        if (engine.isClosed()) {
            end(waiter, Messages.closed(name()));
            retireIfIdle();
        } else if (isFree() && (queue.isEmpty() || mayBarge())) {
            queue.addFirst(waiter);
            if (wait != Long.MAX_VALUE) {
                waiter.waitFor(wait);
            }
            handOn(engine.time().nanos());
        } else if (waiter.request.ifFree() && (turn.claim() != null || !queue.isEmpty())) {
            end(waiter, Waiter.NOT_HAD);
        } else {
            queue.add(waiter);
            if (wait != Long.MAX_VALUE) {
                waiter.waitFor(wait);
            }
            if (turn.claim() == null) {
                enterClaim();
            }
        }
        return true;
    }

    /**
     * Whether the next waiter is still being woken up. Once that one is awake nobody comes before it, so it waits no
     * longer than for one more hold.
     */
    private boolean mayBarge() {
        return !queue.first().isAwake() && !turn.isOver(engine.time().nanos());
    }

    private boolean isFree() {
        return holder == null && turn.isGranted();
    }

    /** The lock is free for the next waiter: for a thread once it runs, unless somebody comes before it. */
    private void offer(Hold after, long now) {
        Waiter next = queue.first();
        // Beside a long hold it matters little how long somebody takes to wake up, and much who comes first.
        boolean brief = now - after.acquired < key.slice() / 4;
        if (!key.barging() || !brief || next.isAwake()) {
            handOn(now);
        } else if (next.invite()) {
            exclusive.later(next::wake);
        }
    }

    /** A waiter that was woken up runs: from now on nobody comes before it. */
    void arrive(Waiter waiter) {
        exclusive.run(() -> {
            waiter.awake();
            if (isFree() && !queue.isEmpty() && queue.first() == waiter) {
                handOn(engine.time().nanos());
            }
        });
    }

    private void enterClaim() {
        turn.enter(queue.first().request, this, exclusive);
    }

    @Override
    public int localWaiters() {
        return holder == null ? Math.max(0, queue.size() - 1) : queue.size();
    }

    @Override
    public void changed(LiveClaim changed, Belief before, long now) {
        if (changed != turn.claim()) {
            return;
        }
        Belief belief = changed.belief();
        switch (belief.phase()) {
            case HELD -> granted(before, belief, now);
            case LOST -> {
                turn.end();
                lose(belief.reason(), now);
                goOn();
            }
            case GONE -> {
                turn.end();
                goOn();
            }
            case BUSY -> {
                turn.end();
                for (Waiter w = queue.poll(Waiter.Request::ifFree); w != null; w = queue.poll(Waiter.Request::ifFree)) {
                    end(w, Waiter.NOT_HAD);
                }
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

    private void granted(Belief before, Belief belief, long now) {
        turn.granted(belief.sequence(), before.phase() != Belief.Phase.HELD, now);
        if (holder == null) {
            handOn(now);
        }
    }

    /** Gives the held claim to the next waiter, unless too little of the lease is left: then it is renewed first. */
    private void handOn(long now) {
        LiveClaim held = turn.claim();
        if (engine.isClosed()) {
            failAll(Messages.closed(name()));
        }
        if (held == null || queue.isEmpty()) {
            goOn();
            return;
        }
        if (!turn.isReady(held, now)) {
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
        if (hold.limit != Long.MAX_VALUE) {
            engine.timers().schedule(hold, hold.limit);
        }
        end(next, hold);
    }

    /** Nobody holds: enters again if somebody waits, else keeps the claim, or leaves the store and retires. */
    private void goOn() {
        LiveClaim claim = turn.claim();
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
            idle.unused(engine.time().nanos());
        } else {
            leave(null);
        }
    }

    private boolean mayKeep() {
        return idle.mayKeep() && isFree() && !turn.isWanted() && !engine.isClosed();
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
        retireIfIdle();
    }

    private void retireIfIdle() {
        if (turn.claim() == null && holder == null && queue.isEmpty()) {
            retired = true;
            idle.cancel();
            if (shared) {
                engine.retire(key, this);
            }
        }
    }

    /** Begins to give a hold back; what became of it is then told to the hold. */
    void release(Hold hold) {
        exclusive.run(() -> {
            if (!hold.isGivenBack()) {
                releaseNow(hold, engine.time().nanos());
            }
        });
    }

    private void releaseNow(Hold hold, long now) {
        notice(hold, now);
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
        if (hold.limit != Long.MAX_VALUE) {
            engine.timers().cancel(hold);
        }
    }

    /** Makes a loss final that the clock shows, before anybody is told of it. */
    void notice(Hold hold) {
        exclusive.run(() -> notice(hold, engine.time().nanos()));
    }

    private void notice(Hold hold, long now) {
        if (holder != hold) {
            return;
        }
        hold.claim().expire(now);
        if (holder == hold && hold.limit != Long.MAX_VALUE && now - hold.limit >= 0) {
            lose("it was held for longer than its maxHold", now);
            hold.claim().leave(null);
            turn.end();
            goOn();
        }
    }

    private void lose(@Nullable String why, long now) {
        Hold lost = holder;
        if (lost != null) {
            endHold(lost);
            lost.lose(Messages.lost(lost, why, now));
            exclusive.later(lost::tellLoss);
        }
    }

    /** Asks the store how an unsure claim stands. */
    void ask(Hold hold) {
        exclusive.run(() -> {
            if (holder == hold) {
                hold.claim().ask();
            }
        });
    }

    void listen(Hold hold, Consumer<? super LeaseLostException> listener) {
        exclusive.run(() -> {
            LeaseLostException loss = hold.loss();
            if (loss == null) {
                hold.add(listener);
            } else {
                exclusive.later(() -> engine.callback(() -> Hold.call(listener, loss), () -> {}));
            }
        });
    }

    /** The waiter will soon have waited long enough: makes sure that it is known then whether others had the lock. */
    void askBefore(Waiter waiter, long deadline) {
        exclusive.run(() -> {
            if (waiter.queued) {
                engine.timers().schedule(waiter, deadline);
                LiveClaim claim = turn.claim();
                if (holder == null && claim != null) {
                    claim.ask();
                }
            }
        });
    }

    /** The waiter has waited long enough; an answer that is due in a moment is still waited for. */
    void timedOut(Waiter waiter, long now) {
        exclusive.run(() -> {
            if (!waiter.queued) {
                return;
            }
            LiveClaim claim = turn.claim();
            boolean unknown = holder == null && claim != null && claim.isOutOfTouch();
            if (unknown && claim != null && claim.isAnswerDue(now)) {
                engine.timers().schedule(waiter, now + ANSWER_CHECK);
                return;
            }
            queue.remove(waiter);
            end(waiter, unknown && claim != null ? Messages.unavailable(name(), claim.lastFailure()) : Waiter.NOT_HAD);
            leaveIfUnwanted(now);
        });
    }

    /** Takes the waiter out of the queue. Null, or its outcome if there was one first. */
    @Nullable
    Object giveUp(Waiter waiter) {
        exclusive.run(() -> {
            if (queue.remove(waiter)) {
                waiter.cancelTimer();
                leaveIfUnwanted(engine.time().nanos());
            }
        });
        return waiter.outcome();
    }

    /** A waiter went: nobody may be left, or the lock was free for that one. */
    private void leaveIfUnwanted(long now) {
        if (queue.isEmpty() && holder == null) {
            leaveOrKeep();
        } else if (isFree()) {
            handOn(now);
        }
    }

    private void end(Waiter waiter, Object outcome) {
        waiter.cancelTimer();
        waiter.end(outcome);
        exclusive.later(waiter::wake);
    }

    private void failAll(Waiter.Failure failure) {
        while (!queue.isEmpty()) {
            end(queue.poll(), failure);
        }
    }

    /** Fails those who wait and gives back what is held. */
    @Override
    public void close() {
        exclusive.run(() -> {
            failAll(Messages.closed(name()));
            Hold held = holder;
            if (held != null) {
                endHold(held);
                held.giveBack(RELEASED);
            }
            leave(null);
        });
    }

    /** What {@code inspect} shows of this client's own claim, better than the store knows it. */
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
