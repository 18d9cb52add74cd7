package io.belay.internal.gate;

import io.belay.LeaseLostException;
import io.belay.Release;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.ClaimOwner;
import io.belay.internal.claim.Engine;
import io.belay.internal.claim.InFlight;
import io.belay.internal.claim.LiveClaim;
import io.belay.internal.time.StepLock;
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

    /** A place where a gate is found until it retires. */
    interface Directory {
        void retire(GateKey key, Gate gate);
    }

    static final CompletableFuture<Release> RELEASED = CompletableFuture.completedFuture(Release.RELEASED);
    static final CompletableFuture<Release> ALREADY_LOST = CompletableFuture.completedFuture(Release.ALREADY_LOST);

    private final Engine engine;
    private final GateKey key;
    private final @Nullable Directory directory;
    final StepLock steps = new StepLock(this::settleAll);
    private boolean retired;
    /** The waiters whose time is over and who still wait for an answer. There are hardly ever any. */
    private Set<Waiter> overdue = Set.of();

    private final Upgrades upgrades = new Upgrades(steps);

    /** Makes a gate, which is to be found in the directory by its key, or serves one acquisition only. */
    Gate(Engine engine, GateKey key, @Nullable Directory directory) {
        this.engine = engine;
        this.key = key;
        this.directory = directory;
    }

    public Engine engine() {
        return engine;
    }

    GateKey key() {
        return key;
    }

    String name() {
        return key.name();
    }

    // What those call who wait and hold; none of it is called under the lock.

    /** Queues the waiter, for at most that many nanoseconds, unless it is to go elsewhere. */
    public Entry enter(Waiter waiter, long wait) {
        Entry[] entry = {Entry.RETIRED};
        steps.run(() -> {
            if (engine.isClosing()) {
                end(waiter, Messages.closed(name()));
                entry[0] = Entry.ENTERED;
            } else if (!retired) {
                entry[0] = enterNow(waiter, wait);
            }
        });
        return entry[0];
    }

    /** Notes that a waiter that was woken up runs: from now on nobody comes before it. */
    abstract void arrive(Waiter waiter);

    /** Begins to give a hold back; the gate then tells the hold what became of that. */
    void release(Hold hold) {
        long now;
        steps.begin();
        try {
            now = engine.time().nanos(); // not before: the lease may end while this thread waits for its step
            if (!hold.isGivenBack()) {
                releaseNow(hold, now);
            }
        } finally {
            steps.end();
        }
        engine.timers().help(now);
    }

    /** Makes a loss final that the clock shows, before anybody is told of it. */
    void notice(Hold hold) {
        steps.run(() -> notice(hold, engine.time().nanos()));
    }

    /** Asks the store how an unsure claim stands; the future is done with the answer, or when the claim has ended. */
    CompletableFuture<Void> ask(Hold hold) {
        List<CompletableFuture<Void>> news = new ArrayList<>(1);
        steps.run(() -> news.add(hold.claim().askForNews(engine.time().nanos())));
        return news.get(0);
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
            Outcome outcome = waiter.queue == null ? Outcome.NOT_HAD : timedOutNow(waiter, now);
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
                if (claim == null || !claim.isAnswerDue(now)) {
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
        boolean unknown = claim != null && claim.isOutOfTouch();
        if (unknown && claim != null && claim.isAnswerDue(now)) {
            overdue = overdue.isEmpty() ? new LinkedHashSet<>() : overdue;
            overdue.add(waiter);
            engine.timers().schedule(waiter, claim.answerDueUntil());
            return null;
        }
        if (!overdue.isEmpty()) {
            overdue.remove(waiter);
        }
        waiter.left = removeLate(waiter, now);
        if (unknown && claim != null) {
            return Messages.unavailable(name(), claim.lastFailure());
        }
        if (waiter.left.isDone()) {
            return Outcome.NOT_HAD;
        }
        engine.timers().schedule(waiter, now + InFlight.SLOW);
        waiter.left.thenRun(() -> timedOut(waiter, now));
        return null;
    }

    /**
     * Takes the waiter out of the queue. Returns a future that is done when its claim has left the store, if nobody
     * else wants that; null if the waiter has an outcome already.
     */
    @Nullable
    CompletableFuture<Release> giveUp(Waiter waiter) {
        List<CompletableFuture<Release>> left = new ArrayList<>(1);
        steps.run(() -> {
            if (waiter.outcome() == null) {
                waiter.cancelTimer();
                left.add(waiter.queue == null ? waiter.left : remove(waiter));
            }
        });
        return left.isEmpty() ? null : left.get(0);
    }

    /** Makes the hold a smaller one, which gets its listeners if {@code told}; null if it is lost or being upgraded. */
    @Nullable
    public Hold downgrade(Hold hold, int weight, boolean told) {
        Hold[] next = new Hold[1];
        steps.run(() -> {
            long now = engine.time().nanos();
            notice(hold, now);
            if (holds(hold) && !upgrades.isAsked(hold.claim())) {
                next[0] = hold.successor(now);
                if (told) {
                    hold.passListenersTo(next[0]);
                }
                succeed(hold, next[0]);
                hold.claim().reweight(weight);
                detach(hold.claim());
            }
        });
        return next[0];
    }

    /** Asks to make the hold a larger one, which is refused unless nobody else has a part of the resource. */
    public CompletableFuture<Optional<Hold>> upgrade(Hold hold, int weight) {
        CompletableFuture<Optional<Hold>> outcome = new CompletableFuture<>();
        steps.run(() -> {
            notice(hold, engine.time().nanos());
            if (!holds(hold) || isShared(hold) || upgrades.isAsked(hold.claim())) {
                upgrades.tell(outcome, null);
                return;
            }
            upgrades.ask(hold, outcome);
            hold.claim().reweight(weight);
            detach(hold.claim());
        });
        return outcome;
    }

    /** Gives the upgrade up: should it be made all the same, it is undone. Returns false if it is decided already. */
    public boolean giveUpUpgrade(Hold hold) {
        boolean[] inTime = new boolean[1];
        steps.run(() -> inTime[0] = upgrades.giveUp(hold.claim()));
        return inTime[0];
    }

    /** Takes what {@link ClaimOwner#reweighted} tells, for the upgrade that waits for it; called under the lock. */
    public void reweighted(LiveClaim claim, boolean made, long now) {
        Upgrades.Upgrade upgrade = upgrades.decided(claim);
        if (upgrade == null) {
            return;
        }
        if (upgrade.givenUp()) {
            if (made) {
                claim.reweight(upgrade.before());
            }
            return;
        }
        boolean had = made && holds(upgrade.hold());
        Hold next = had ? upgrade.hold().successor(now) : null;
        if (next != null) {
            succeed(upgrade.hold(), next);
        }
        upgrades.tell(upgrade.outcome(), next);
    }

    private void succeed(Hold hold, Hold next) {
        endTimer(hold);
        replace(hold, next);
        hold.giveBack(RELEASED);
        if (next.limit != Long.MAX_VALUE) {
            engine.timers().schedule(next, next.limit);
        }
    }

    /** Settles the gate, which does what a client that closes, or begins to drain, calls for. */
    public void close() {
        steps.run(() -> {});
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

    /** Returns whether others hold by the same claim, or wait for it. */
    abstract boolean isShared(Hold hold);

    abstract void replace(Hold hold, Hold next);

    /** Detaches a claim that changes its weight: it is not shared or handed on, and other waiters enter another. */
    abstract void detach(LiveClaim claim);

    /** Returns the claim that the waiter waits for; null while another of this client holds the lock. */
    abstract @Nullable LiveClaim awaited(Waiter waiter);

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

    /** Gives the hold to the waiter, whose wait ends. */
    void begin(Hold hold, Waiter waiter) {
        if (hold.limit != Long.MAX_VALUE) {
            engine.timers().schedule(hold, hold.limit);
        }
        end(waiter, hold);
    }

    void endTimer(Hold hold) {
        upgrades.end(hold.claim());
        if (hold.limit != Long.MAX_VALUE) {
            engine.timers().cancel(hold);
        }
    }

    void lose(Hold hold, @Nullable String why, long now) {
        endTimer(hold);
        LiveClaim claim = hold.claim();
        hold.lose(Messages.lost(name(), hold.token(), now - hold.acquired, why, claim.confirmation()));
        steps.later(hold::tellLoss);
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
        hold.claim().leave(release -> {
            if (release == Release.ALREADY_LOST) {
                steps.run(() -> lose(hold, "the store no longer had it when it was released", now));
            }
            outcome.complete(release);
        });
    }

    void end(Waiter waiter, Outcome outcome) {
        waiter.cancelTimer();
        waiter.end(outcome);
        steps.later(waiter::wake);
    }

    /** Ends the waits for a claim that the store did not take: those of tries if it is busy, else all. */
    void notTaken(WaiterQueue queue, Belief belief) {
        switch (belief.phase()) {
            case REFUSED -> failAll(queue, Messages.refused(name(), belief.reason()));
            case FAILED -> failAll(queue, Messages.unusable(name(), belief.reason()));
            default -> {
                for (Waiter w = queue.pollTry(); w != null; w = queue.pollTry()) {
                    end(w, Outcome.NOT_HAD);
                }
            }
        }
    }

    void failAll(WaiterQueue queue, Outcome failure) {
        while (!queue.isEmpty()) {
            end(queue.poll(), failure);
        }
    }

    void retire() {
        if (!retired && directory != null) {
            directory.retire(key, this);
        }
        retired = true;
    }
}
