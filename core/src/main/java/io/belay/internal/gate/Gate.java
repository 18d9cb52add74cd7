package io.belay.internal.gate;

import io.belay.LeaseLostException;
import io.belay.LockStatistics.WaitEnd;
import io.belay.LossReason;
import io.belay.Release;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.ClaimOwner;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.InFlight;
import io.belay.internal.claim.LiveClaim;
import io.belay.internal.time.StepLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The place where everybody in this client who wants one lock in one way queues, so that the store sees one claim for
 * many waiters. All gates have this much in common: time limits of waits, losses, and who is told what.
 *
 * <p>All state is guarded by one lock that is never held while anything is sent or anybody is called; what is to follow
 * goes to the outbox. A gate that nobody uses retires: it is not found any more and leaves nothing behind.
 */
public abstract class Gate {
    /** The outcome of entering a gate. */
    public enum Entry {
        ENTERED,
        /** The gate is not used any more: the caller is to find another. */
        RETIRED,
        /** The waiter is a try that is to ask the store for itself, by a claim of its own. */
        APART
    }

    static final CompletableFuture<Release> RELEASED = CompletableFuture.completedFuture(Release.RELEASED);
    static final CompletableFuture<Release> ALREADY_LOST = CompletableFuture.completedFuture(Release.ALREADY_LOST);

    private final Surroundings around;
    private final Engine engine;
    private final GateKey key;
    private final int number;
    private final GateCounts counts;
    private boolean watched;
    final StepLock steps = new StepLock(this::settleAll);
    private boolean retired;
    /** The waiters whose time is over and who still wait for an answer. There are hardly ever any. */
    private Set<Waiter> overdue = Set.of();

    private final Upgrades upgrades = new Upgrades(this);

    /** Makes a gate, which is known around it until it retires. */
    Gate(Surroundings around, GateKey key) {
        this.around = around;
        this.key = key;
        engine = around.engine();
        number = around.newNumber();
        counts = new GateCounts(around.family(key.name()));
    }

    public Engine engine() {
        return engine;
    }

    GateKey key() {
        return key;
    }

    /** Returns the same in each run, unlike an object's own: sets of gates are gone through in an order that depends on it. */
    @Override
    public final int hashCode() {
        return number;
    }

    /** Returns whether it is this gate. */
    @Override
    public final boolean equals(@Nullable Object other) {
        return this == other;
    }

    String name() {
        return key.name();
    }

    /** Returns whether nobody is let in any more. */
    final boolean isShut() {
        return engine.isClosing() && !(key.ending() && engine.isDraining());
    }

    // What those call who wait and hold; none of it is called under the lock.

    /** Queues the waiter, for at most that many nanoseconds, unless it is to go elsewhere. */
    public Entry enter(Waiter waiter, long wait) {
        steps.begin();
        try {
            if (isShut()) {
                end(waiter, Messages.shut(name(), engine.isOver()));
                return Entry.ENTERED;
            }
            return retired ? Entry.RETIRED : enterNow(waiter, wait);
        } finally {
            steps.end();
        }
    }

    /** Notes that a waiter that was woken up runs: from now on nobody comes before it. */
    abstract void arrive(Waiter waiter);

    /** Begins to give a hold back; the gate then tells the hold what became of that. */
    void release(Hold hold) {
        release(hold, 0);
    }

    /** Does the same, and keeps the lock taken for so many nanoseconds at least. */
    void release(Hold hold, long delay) {
        long now;
        steps.begin();
        try {
            now = engine.time().nanos(); // not before: the lease may end while this thread waits for its step
            if (!hold.isGivenBack()) {
                if (delay > 0) {
                    hold.keepUntil(now + delay);
                }
                releaseNow(hold, now);
            }
        } finally {
            steps.end();
        }
        engine.timers().help(now);
    }

    /** Forgets that the lock is to stay taken for a time. */
    void forget(Hold hold) {
        steps.run(hold::keepNoLonger);
    }

    /** Makes a loss final that the clock shows, before anybody is told of it. */
    void notice(Hold hold) {
        steps.run(() -> notice(hold, engine.time().nanos()));
    }

    /** Asks the store how an unsure claim stands; the future is done with the answer, or when the claim has ended. */
    CompletableFuture<Void> ask(Hold hold) {
        return steps.call(() -> hold.claim().askForNews(engine.time().nanos()));
    }

    /**
     * Moves the end of a hold to so many nanoseconds from now. The future is done with why that was refused; with nothing once
     * the hold shows it, or is over.
     */
    CompletableFuture<Optional<String>> extend(Hold hold, long duration) {
        return steps.call(() -> {
            long now = engine.time().nanos();
            notice(hold, now);
            return holds(hold)
                    ? extendNow(hold, now + duration, now)
                    : CompletableFuture.completedFuture(Optional.empty());
        });
    }

    private CompletableFuture<Optional<String>> extendNow(Hold hold, long end, long now) {
        boolean fixed = hold.claim().belief().isFixed();
        int number = ++hold.moves;
        boolean limited = !fixed || hold.limit != Long.MAX_VALUE;
        if (limited && (hold.limit == Long.MAX_VALUE || end - hold.limit < 0)) {
            limit(hold, end);
        }
        CompletableFuture<Optional<String>> answered = fixed
                ? hold.claim().fix(end, now)
                : hold.claim().askForNews(now).thenApply(news -> Optional.empty());
        return answered.thenApply(refusal -> {
            if (limited && refusal.isEmpty()) {
                steps.run(() -> {
                    if (number == hold.moves) { // else a later call counts
                        limit(hold, end);
                    }
                });
            }
            return refusal;
        });
    }

    /** Ends the hold then, if it is held so long. */
    private void limit(Hold hold, long end) {
        if (holds(hold) && hold.limit != end) {
            hold.limit = end;
            engine.timers().schedule(hold, end);
        }
    }

    void listen(Hold hold, Consumer<? super LeaseLostException> listener) {
        steps.run(() -> {
            LeaseLostException loss = hold.loss();
            if (loss == null) {
                hold.add(listener);
            } else {
                steps.later(() -> engine.callbacks().tell(() -> listener.accept(loss)));
            }
        });
    }

    /** Asks the store before the waiter's time is over, so that it is known then whether others had the lock. */
    void askBefore(Waiter waiter, long deadline) {
        steps.run(() -> {
            if (waiter.queue != null) {
                engine.timers().schedule(waiter, deadline);
                LiveClaim claim = awaited(waiter);
                long now = engine.time().nanos();
                if (claim != null && !isFreshEnough(claim, now)) {
                    claim.ask(now);
                }
            }
        });
    }

    /**
     * Ends the wait, as the waiter's time is over. The gate still waits for an answer that is due in a moment, and
     * for the leave of a claim that nobody wants any more, so that the waiter has left the queue when it is told.
     */
    void timedOut(Waiter waiter, long now) {
        steps.run(() -> endIfOver(waiter, now));
    }

    private void endIfOver(Waiter waiter, long now) {
        if (waiter.outcome() == null) {
            Outcome outcome = waiter.queue == null ? waiter.without : timedOutNow(waiter, now);
            if (outcome != null) {
                end(waiter, outcome);
            }
        }
    }

    /** Settles, and ends the waits of the waiters whose answer has come since their time was over. */
    private void settleAll() {
        settle();
        if (!overdue.isEmpty()) {
            long now = engine.time().nanos();
            for (Waiter waiter : List.copyOf(overdue)) {
                LiveClaim claim = waiter.queue == null ? null : awaited(waiter);
                if (claim != null && waiter.due == null) {
                    awaitAnswer(waiter, claim); // its own one, as the place that it came upon was left
                } else if (claim == null || claim != waiter.due || !claim.isAnswerDue(now)) {
                    overdue.remove(waiter);
                    endIfOver(waiter, now);
                }
            }
            settle();
        }
    }

    /** Returns what the waiter is told; null if it is not to be told yet. */
    private @Nullable Outcome timedOutNow(Waiter waiter, long now) {
        LiveClaim claim = awaited(waiter);
        // One that was entered since is for others: what this waiter waited for was answered.
        boolean unknown = claim != null && claim.isOutOfTouch() && (waiter.due == null || waiter.due == claim);
        if (unknown && claim != null && claim.isAnswerDue(now)) {
            awaitAnswer(waiter, claim);
            return null;
        }
        if (!overdue.isEmpty()) {
            overdue.remove(waiter);
        }
        waiter.without = late(waiter).timedOut();
        waiter.left = removeLate(waiter, now);
        if (unknown && claim != null) {
            return Messages.unavailable(name(), claim.lastFailure());
        }
        if (waiter.left.isDone()) {
            return waiter.without;
        }
        engine.timers().schedule(waiter, now + InFlight.SLOW);
        waiter.left.thenRun(() -> timedOut(waiter, now));
        return null;
    }

    /** Waits for the claim's answer, which is due in a moment, on behalf of a waiter whose time is over. */
    private void awaitAnswer(Waiter waiter, LiveClaim claim) {
        overdue = overdue.isEmpty() ? new LinkedHashSet<>() : overdue;
        overdue.add(waiter);
        waiter.due = claim;
        engine.timers().schedule(waiter, claim.answerDueUntil());
    }

    /**
     * Takes the waiter out of the queue. Returns a future that is done when its claim has left the store, if nobody
     * else wants that; null if the waiter has an outcome already.
     */
    @Nullable
    CompletableFuture<Release> giveUp(Waiter waiter) {
        return steps.call(() -> {
            if (waiter.outcome() != null) {
                return null;
            }
            waiter.cancelTimer();
            countEnd(waiter, WaitEnd.CANCELLED);
            return waiter.queue == null ? waiter.left : remove(waiter);
        });
    }

    /** Returns the changes of weight that this gate's holds are asked for. */
    public Upgrades upgrades() {
        return upgrades;
    }

    /** Takes what {@link ClaimOwner#reweighted} tells, for the upgrade that waits for it; called under the lock. */
    public void reweighted(LiveClaim claim, boolean made, long now) {
        upgrades.decided(claim, made, now);
    }

    /** Ends a hold whose weight was changed, in favour of another; called under the lock. */
    void succeed(Hold hold, Hold next) {
        endTimer(hold);
        replace(hold, next);
        countRelease(hold, next.acquired);
        counts.acquired(0, true);
        hold.giveBack(RELEASED);
        if (next.limit != Long.MAX_VALUE) {
            engine.timers().schedule(next, next.limit);
        }
    }

    /** Settles the gate, which does what the end of its client, or a pause, calls for. */
    public void clientEnds() {
        steps.run(() -> {});
    }

    Families.Family family() {
        return counts.family();
    }

    /** Moves what was counted here to the family. */
    void count() {
        steps.run(counts::move);
    }

    /** Shows all who hold and wait. */
    void visit(Consumer<Hold> holds, Consumer<Waiter> waiters) {
        steps.run(() -> {
            forEachHold(holds);
            forEachWaiter(waiters);
        });
    }

    /** Reads who has taken a hold away, if anybody has. */
    CompletableFuture<Optional<String>> forcedBy(Hold hold) {
        return around.forcedBy(hold);
    }

    /** Tells waits and holds that have lasted for too long; looks no more if there is none to be told later. */
    void look(long now) {
        steps.run(() -> {
            boolean[] any = new boolean[1];
            List<Waiter> slow = new ArrayList<>();
            forEachWaiter(waiter -> {
                if (waiter.waited(now) >= around.slowWait(waiter.told)) {
                    LiveClaim claim = awaited(waiter);
                    waiter.failure = claim != null && claim.isOutOfTouch() ? claim.lastFailure() : "";
                    waiter.told++;
                    slow.add(waiter);
                }
                any[0] |= around.slowWait(waiter.told) != Long.MAX_VALUE;
            });
            if (!slow.isEmpty()) {
                steps.later(() -> around.slow(slow));
            }
            if (around.longHold() != Long.MAX_VALUE) {
                forEachHold(hold -> {
                    any[0] |= !hold.told;
                    if (!hold.told && now - hold.acquired >= around.longHold()) {
                        hold.told = true;
                        steps.later(() -> around.longHeld(hold));
                    }
                });
            }
            if (!any[0]) {
                unwatch();
            }
        });
    }

    private void watch() {
        if (!watched) {
            watched = true;
            around.watch(this);
        }
    }

    private void unwatch() {
        if (watched) {
            watched = false;
            around.unwatch(this);
        }
    }

    /** Shows what {@code inspect} can tell of this client's own claims, better than the store knows them. */
    abstract void localInfo(Consumer<LocalClaimInfo> viewer);

    // What a kind of gate does; all of it is called under the lock.

    /** Does what the state calls for: whom to let in, what to ask, what to leave. Called at the end of each step. */
    abstract void settle();

    abstract Entry enterNow(Waiter waiter, long wait);

    abstract void releaseNow(Hold hold, long now);

    abstract void notice(Hold hold, long now);

    abstract boolean holds(Hold hold);

    abstract void forEachHold(Consumer<Hold> action);

    abstract void forEachWaiter(Consumer<Waiter> action);

    /** Returns whether others hold by the same claim, or wait for it. */
    abstract boolean isShared(Hold hold);

    abstract void replace(Hold hold, Hold next);

    /** Detaches a claim that changes its weight: it is not shared or handed on, and other waiters enter another. */
    abstract void detach(LiveClaim claim);

    /** Returns the claim that the waiter waits for; null while another of this client holds the lock. */
    abstract @Nullable LiveClaim awaited(Waiter waiter);

    /**
     * Returns whether the last grant came too late: then the gate may have waiters and no claim, by which it would be told of
     * the client's end. May be asked by any thread.
     */
    boolean isLate() {
        return false;
    }

    /** Returns the grants that came too late for those who wait where the waiter does. */
    abstract LateGrants late(Waiter waiter);

    /** Takes out a waiter that waits no longer; the future is done when a claim that nobody wants now has left. */
    abstract CompletableFuture<Release> remove(Waiter waiter);

    /** Does the same for a waiter whose time is over, and who may come again. */
    CompletableFuture<Release> removeLate(Waiter waiter, long now) {
        return remove(waiter);
    }

    /** Returns whether the store's last answer about the claim will do for a waiter whose time is nearly over. */
    boolean isFreshEnough(LiveClaim claim, long now) {
        return false;
    }

    // What all of them use; under the lock.

    /** Queues the waiter behind others of this client ({@code local}), or until the store has answered. */
    void queue(Waiter waiter, WaiterQueue queue, boolean local) {
        if (!local || !waiter.notesItsWait()) {
            waiter.queuedAt = engine.time().nanos();
        }
        queue.add(waiter);
        if (around.slowWait(0) != Long.MAX_VALUE) {
            watch();
        }
    }

    /** Gives the hold to the waiter, whose wait ends; {@code handOff} if the client had the lock already. */
    void begin(Hold hold, Waiter waiter, boolean handOff) {
        if (hold.limit != Long.MAX_VALUE) {
            engine.timers().schedule(hold, hold.limit);
        }
        counts.acquired(waiter.waited(hold.acquired), handOff);
        if (around.longHold() != Long.MAX_VALUE) {
            watch();
        }
        if (hold.isKept(hold.acquired) && !hold.claim().belief().isFixed()) {
            hold.claim().outlive(hold.keptUntil(), hold.acquired);
        }
        tell(waiter, hold);
    }

    /** Counts a hold that is given back while it is known to be held. */
    void countRelease(Hold hold, long now) {
        counts.released(now - hold.acquired);
    }

    private void countEnd(Waiter waiter, WaitEnd end) {
        long wait = waiter.queuedAt == 0 ? 0 : waiter.waited(engine.time().nanos());
        counts.seldom(sum -> sum.gaveUp(end, wait));
    }

    void endTimer(Hold hold) {
        upgrades.end(hold.claim());
        if (hold.limit != Long.MAX_VALUE) {
            engine.timers().cancel(hold);
        }
    }

    void lose(Hold hold, LossReason reason, @Nullable String why, long now) {
        endTimer(hold);
        hold.lose(loss(hold, reason, why, now));
        steps.later(hold::tellLoss);
    }

    /** Counts a loss, by the reason that is told. */
    void countLoss(LeaseLostException loss) {
        counts.late(sum -> sum.lost(loss.reason(), loss.held().toNanos()));
    }

    private LeaseLostException loss(Hold hold, LossReason reason, @Nullable String why, long now) {
        Duration held = Duration.ofNanos(now - hold.acquired);
        String text =
                Messages.lost(name(), hold.token(), held, why, hold.claim().confirmation());
        return new LeaseLostException(text, name(), hold.token(), reason, held, null, null);
    }

    /** Leaves the claim of a hold that is lost while the store still has it. */
    void leaveLost(Hold hold, long now) {
        leave(hold, null, now);
    }

    /** Leaves the claim of a hold, or has the store keep it for as long as asked. */
    private static void leave(Hold hold, @Nullable Consumer<Release> told, long now) {
        if (hold.isKept(now)) {
            hold.claim().leaveAt(hold.keptUntil(), told);
        } else {
            hold.claim().leave(told);
        }
    }

    /** Leaves the claim; the future is done when the store has answered, or will not. */
    CompletableFuture<Release> leave(LiveClaim claim) {
        CompletableFuture<Release> outcome = new CompletableFuture<>();
        claim.leave(outcome::complete);
        return outcome;
    }

    /** Gives back the last hold of its claim; a loss that only the store shows is noted before the outcome is told. */
    void giveBackAndLeave(Hold hold, long now) {
        CompletableFuture<Release> outcome = new CompletableFuture<>();
        hold.giveBack(outcome);
        Consumer<Release> told = release -> {
            switch (release) {
                case RELEASED -> counts.late(sum -> sum.released(now - hold.acquired));
                case UNKNOWN -> counts.late(sum -> sum.unknown(now - hold.acquired));
                case ALREADY_LOST -> {
                    String why = "the store no longer had it when it was released";
                    steps.run(() -> lose(hold, LossReason.FORGOTTEN, why, now));
                }
            }
            outcome.complete(release);
        };
        leave(hold, told, now);
    }

    /** Ends a wait without the lock. */
    void end(Waiter waiter, Outcome outcome) {
        countEnd(waiter, outcome.end());
        tell(waiter, outcome);
    }

    private void tell(Waiter waiter, Outcome outcome) {
        waiter.cancelTimer();
        waiter.end(outcome);
        if (waiter.mayBeParked()) {
            steps.later(waiter::wake);
        }
    }

    /** Ends the waits for a claim that the store did not take: those of tries if it is busy, else all. */
    void notTaken(WaiterQueue queue, Belief belief) {
        switch (belief.phase()) {
            case REFUSED -> {
                failAll(queue, Messages.refused(name(), belief.reason()));
                String why = String.valueOf(belief.reason());
                steps.later(() -> engine.events().refused(name(), why));
            }
            case FAILED -> failAll(queue, Messages.unusable(name(), belief.reason()));
            default -> {
                for (Waiter w = queue.pollTry(); w != null; w = queue.pollTry()) {
                    end(w, Outcome.NOT_HAD);
                }
            }
        }
    }

    /** Ends the waits for what is granted again and again and never had. */
    void failIfHopeless(WaiterQueue queue, LateGrants late) {
        Outcome failure = late.hopeless();
        if (failure != null) {
            failAll(queue, failure);
            late.end();
        }
    }

    void failAll(WaiterQueue queue, Outcome failure) {
        while (!queue.isEmpty()) {
            end(queue.poll(), failure);
        }
    }

    void retire() {
        if (!retired) {
            retired = true;
            unwatch();
            counts.retire();
            around.retire(key, this);
        }
    }
}
