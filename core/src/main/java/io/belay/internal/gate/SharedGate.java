package io.belay.internal.gate;

import io.belay.LossReason;
import io.belay.Release;
import io.belay.internal.claim.Belief;
import io.belay.internal.claim.ClaimOwner;
import io.belay.internal.claim.LiveClaim;
import io.belay.internal.claim.Present;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The gate of a lock that many may hold at once: its readers share one claim on the store. A reader that comes while
 * that claim waits, or within a time slice of its grant, joins it; one that comes later enters a new claim, so that a
 * writer that waits elsewhere gets its turn. Each {@link Share} leaves when the last of its readers has.
 */
final class SharedGate extends Gate {
    /** The shares that have readers or are to have some; whoever comes next may join the last one. */
    private final Deque<Share> shares = new ArrayDeque<>(2);

    SharedGate(Surroundings around, GateKey key) {
        super(around, key);
    }

    /** Queues the waiter. A try does not join a share to which the store has not given the lock: it asks for itself. */
    @Override
    Entry enterNow(Waiter waiter, long wait) {
        long now = engine().time().nanos();
        boolean apart = waiter.request.ifFree();
        Share joined = null;
        for (Share share : shares) {
            boolean fits = share.mayJoin(now) && (!apart || share.turn.isGranted());
            joined = fits ? share : joined;
        }
        if (joined == null) {
            joined = new Share(apart);
            shares.add(joined);
        }
        queue(waiter, joined.queue, false);
        if (wait != Long.MAX_VALUE) {
            waiter.waitFor(wait);
        }
        return Entry.ENTERED;
    }

    @Override
    void settle() {
        for (Share share : List.copyOf(shares)) {
            share.settle();
        }
        if (shares.isEmpty()) {
            retire();
        }
    }

    /** Does nothing: all who wait are granted at once, so that nobody barges. */
    @Override
    void arrive(Waiter waiter) {}

    @Override
    void releaseNow(Hold hold, long now) {
        notice(hold, now);
        Share share = shareOf(hold);
        if (share == null) {
            hold.giveBack(ALREADY_LOST);
            return;
        }
        share.holds.remove(hold);
        endTimer(hold);
        share.keepFor(hold, now);
        if (share.isUsed() && hold.isKept(now)) {
            countRelease(hold, now);
            hold.giveBack(hold.claim().keepUntil(hold.keptUntil(), now).thenApply(answered -> Release.RELEASED));
        } else if (share.isUsed()) {
            countRelease(hold, now);
            hold.giveBack(RELEASED);
        } else {
            hold.keepUntil(share.kept ? share.keptUntil : now);
            share.turn.end();
            giveBackAndLeave(hold, now);
        }
    }

    @Override
    void notice(Hold hold, long now) {
        if (!holds(hold)) {
            return;
        }
        hold.claim().expire(now);
        Share share = shareOf(hold);
        if (share != null && hold.limit != Long.MAX_VALUE && now - hold.limit >= 0) {
            share.loseOne(hold, LossReason.MAX_HOLD, Messages.MAX_HOLD, now);
        }
    }

    @Override
    boolean isShared(Hold hold) {
        Share share = shareOf(hold);
        return share != null && (share.holds.size() > 1 || !share.queue.isEmpty());
    }

    @Override
    void replace(Hold hold, Hold next) {
        Share share = shareOf(hold);
        if (share != null) {
            share.holds.set(share.holds.indexOf(hold), next);
        }
    }

    @Override
    void detach(LiveClaim claim) {
        for (Share share : shares) {
            share.sealed |= share.turn.claim() == claim;
        }
    }

    @Override
    boolean holds(Hold hold) {
        return shareOf(hold) != null;
    }

    @Override
    void forEachHold(Consumer<Hold> action) {
        shares.forEach(share -> share.holds.forEach(action));
    }

    @Override
    void forEachWaiter(Consumer<Waiter> action) {
        shares.forEach(share -> share.queue.forEach(action));
    }

    private @Nullable Share shareOf(Hold hold) {
        for (Share share : shares) {
            if (share.turn.claim() == hold.claim() && share.holds.contains(hold)) {
                return share;
            }
        }
        return null;
    }

    private Share shareOf(Waiter waiter) {
        for (Share share : shares) {
            if (share.queue == waiter.queue) {
                return share;
            }
        }
        throw new IllegalStateException("waits nowhere");
    }

    @Override
    @Nullable
    LiveClaim awaited(Waiter waiter) {
        return shareOf(waiter).turn.claim();
    }

    @Override
    LateGrants late(Waiter waiter) {
        return shareOf(waiter).turn.late();
    }

    @Override
    CompletableFuture<Release> remove(Waiter waiter) {
        Share share = shareOf(waiter);
        share.queue.remove(waiter);
        return share.isUsed() ? RELEASED : share.leaveIfThere();
    }

    @Override
    void localInfo(Consumer<LocalClaimInfo> viewer) {
        steps.run(() -> {
            for (Share share : shares) {
                LiveClaim claim = share.turn.claim();
                if (claim != null) {
                    viewer.accept(new LocalClaimInfo(claim.id(), share.present(claim), share.localWaiters()));
                }
            }
        });
    }

    /** A claim and those who share it. */
    private final class Share implements ClaimOwner {
        private final ClientTurn turn = new ClientTurn(engine(), key(), 0, steps);
        private final WaiterQueue queue = new WaiterQueue();
        private final List<Hold> holds = new ArrayList<>(1);
        private final boolean tried;
        private boolean sealed;
        private boolean kept;
        /** Until when the lock stays taken at least, as one of its readers has asked for. */
        private long keptUntil;

        /** Makes a share; {@code tried} if it is for somebody who wants the lock at once or not at all. */
        Share(boolean tried) {
            this.tried = tried;
        }

        /** Returns whether one more may join without making others wait for longer than a slice. */
        boolean mayJoin(long now) {
            return turn.isGranted() ? !sealed && !turn.isOver(now) : !tried;
        }

        void settle() {
            if (isShut()) {
                failAll(queue, Messages.shut(name(), engine().isOver()));
            }
            if (engine().isDown()) {
                long now = engine().time().nanos();
                List.copyOf(holds)
                        .forEach(hold -> loseOne(hold, LossReason.CLOSED, Messages.taken(engine().isOver()), now));
            }
            handOut();
            if (!isUsed()) {
                leaveIfThere();
                shares.remove(this);
            } else if (turn.claim() == null) {
                turn.enter(queue.firstInTime(), this);
            }
        }

        private void handOut() {
            while (!queue.isEmpty() && turn.isGranted()) {
                LiveClaim claim = turn.granted();
                long now = engine().time().nanos();
                if (!turn.isReady(claim, now)) {
                    return;
                }
                Waiter next = queue.poll();
                Hold hold = new Hold(SharedGate.this, claim, turn.sharedToken(), next.request, now);
                holds.add(hold);
                begin(hold, next, holds.size() > 1);
            }
        }

        /** Keeps the lock taken for as long as a reader asks for that gives it back. */
        void keepFor(Hold hold, long now) {
            if (hold.isKept(now) && (!kept || hold.keptUntil() - keptUntil > 0)) {
                kept = true;
                keptUntil = hold.keptUntil();
            }
        }

        boolean isUsed() {
            return !holds.isEmpty() || !queue.isEmpty();
        }

        CompletableFuture<Release> leaveIfThere() {
            LiveClaim claim = turn.claim();
            turn.end();
            if (claim != null && kept && keptUntil - engine().time().nanos() > 0) {
                claim.leaveAt(keptUntil, null);
                return RELEASED;
            }
            return claim == null ? RELEASED : SharedGate.this.leave(claim);
        }

        @Override
        public int localWaiters() {
            return holds.isEmpty() ? Math.max(0, queue.size() - 1) : queue.size();
        }

        @Override
        public void changed(LiveClaim changed, Belief before, long now) {
            if (changed != turn.claim()) {
                return;
            }
            Belief belief = changed.belief();
            switch (belief.phase()) {
                case HELD -> turn.granted(belief.sequence(), before.phase() != Belief.Phase.HELD, now);
                case LOST, GONE -> {
                    turn.lost(belief, holds.isEmpty() && !turn.isBegun() && !queue.isEmpty(), now);
                    failIfHopeless(queue, turn.late());
                    List.copyOf(holds).forEach(hold -> loseOne(hold, belief.loss(), belief.reason(), now));
                }
                case BUSY, REFUSED, FAILED -> {
                    turn.end();
                    notTaken(queue, belief);
                }
                default -> {}
            }
        }

        private void loseOne(Hold hold, LossReason reason, @Nullable String why, long now) {
            holds.remove(hold);
            lose(hold, reason, why, now);
        }

        @Override
        public @Nullable Present present(LiveClaim claim) {
            return holds.isEmpty() ? null : holds.get(0).present();
        }

        @Override
        public void reweighted(LiveClaim claim, boolean made, long now) {
            SharedGate.this.reweighted(claim, made, now);
        }

        @Override
        public void clientEnds() {
            SharedGate.this.clientEnds();
        }
    }
}
