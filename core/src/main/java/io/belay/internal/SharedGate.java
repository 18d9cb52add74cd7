package io.belay.internal;

import io.belay.Release;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The gate of a lock that many may hold at once: its readers share one claim on the store. Who comes while that claim
 * waits, or within a time slice of its grant, joins it; whoever comes later enters a new one, so that a writer that waits
 * elsewhere gets its turn. Each {@link Share} leaves when the last of its readers has.
 */
final class SharedGate extends Gate {
    /** All that have readers or are to have some; whoever comes next may join the last one. */
    private final Deque<Share> shares = new ArrayDeque<>(2);

    SharedGate(Engine engine, Key key) {
        super(engine, key, true);
    }

    @Override
    void enterNow(Waiter waiter, long wait) {
        long now = engine().time().nanos();
        Share last = shares.peekLast();
        boolean granted = last != null && last.turn.isGranted();
        if (engine().isClosed()) {
            end(waiter, Messages.closed(name()));
            retireIfUnused();
        } else if (last != null && !granted && waiter.request.ifFree()) {
            end(waiter, Waiter.NOT_HAD);
        } else {
            if (wait != Long.MAX_VALUE) {
                waiter.waitFor(wait);
            }
            Share joined = last;
            if (joined == null || !joined.mayJoin(now)) {
                joined = new Share();
                shares.add(joined);
            }
            joined.join(waiter, now);
        }
    }

    /** All who wait are granted at once, so that nobody barges. */
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
        if (share.isUsed()) {
            hold.giveBack(RELEASED);
        } else {
            CompletableFuture<Release> outcome = new CompletableFuture<>();
            hold.giveBack(outcome);
            share.leave(outcome::complete);
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
            share.loseOne(hold, "it was held for longer than its maxHold", now);
            share.leaveIfUnused();
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
    void setAside(LiveClaim claim) {
        for (Share share : shares) {
            share.sealed |= share.turn.claim() == claim;
        }
    }

    @Override
    boolean holds(Hold hold) {
        return shareOf(hold) != null;
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
    void remove(Waiter waiter, long now) {
        Share share = shareOf(waiter);
        share.queue.remove(waiter);
        share.leaveIfUnused();
    }

    private void retireIfUnused() {
        if (shares.isEmpty()) {
            retire();
        }
    }

    @Override
    void close() {
        exclusive.run(() -> {
            for (Share share : List.copyOf(shares)) {
                failAll(share.queue, Messages.closed(name()));
                for (Hold hold : share.holds) {
                    endTimer(hold);
                    hold.giveBack(RELEASED);
                }
                share.leave(null);
            }
        });
    }

    @Override
    void glimpse(Consumer<Glimpse> viewer) {
        exclusive.run(() -> {
            for (Share share : shares) {
                LiveClaim claim = share.turn.claim();
                if (claim != null) {
                    String thread = share.holds.isEmpty()
                            ? null
                            : share.holds.get(0).thread().getName();
                    viewer.accept(new Glimpse(claim.id(), thread, share.localWaiters()));
                }
            }
        });
    }

    /** One claim and those who share it. */
    private final class Share implements LiveClaim.Owner {
        private final Turn turn = new Turn(engine(), key(), 0);
        private final WaiterQueue queue = new WaiterQueue();
        private final List<Hold> holds = new ArrayList<>(1);
        private boolean ifFree;
        private boolean sealed;

        /** Whether one more may join without making others wait for longer than a slice. */
        boolean mayJoin(long now) {
            return turn.isGranted() ? !sealed && !turn.isOver(now) : !ifFree && turn.claim() != null;
        }

        void join(Waiter waiter, long now) {
            queue.add(waiter);
            if (turn.claim() == null) {
                ifFree = waiter.request.ifFree();
                turn.enter(waiter, this, exclusive);
            } else if (turn.isGranted()) {
                handOut(now);
            }
        }

        private void handOut(long now) {
            LiveClaim claim = turn.claim();
            while (claim != null && !queue.isEmpty() && turn.isReady(claim, now)) {
                Waiter next = queue.poll();
                Hold hold = new Hold(SharedGate.this, claim, turn.sharedToken(), next.request, now);
                holds.add(hold);
                begin(hold, next);
            }
            leaveIfUnused();
        }

        boolean isUsed() {
            return !holds.isEmpty() || !queue.isEmpty();
        }

        void leaveIfUnused() {
            if (!isUsed()) {
                leave(null);
            }
        }

        void leave(@Nullable Consumer<Release> outcome) {
            holds.clear();
            LiveClaim claim = turn.claim();
            if (claim != null) {
                claim.leave(outcome);
            }
            dissolve();
        }

        private void dissolve() {
            turn.end();
            shares.remove(this);
            retireIfUnused();
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
                case HELD -> {
                    turn.granted(belief.sequence(), before.phase() != Belief.Phase.HELD, now);
                    handOut(now);
                }
                case LOST, GONE -> {
                    List.copyOf(holds).forEach(hold -> loseOne(hold, belief.reason(), now));
                    again();
                }
                case BUSY -> {
                    for (Waiter w = queue.poll(waiter -> waiter.request.ifFree());
                            w != null;
                            w = queue.poll(waiter -> waiter.request.ifFree())) {
                        end(w, Waiter.NOT_HAD);
                    }
                    again();
                }
                case REFUSED -> fail(Messages.refused(name(), belief.reason()));
                case FAILED -> fail(Messages.unusable(name(), belief.reason()));
                default -> {}
            }
        }

        private void fail(Waiter.Failure failure) {
            failAll(queue, failure);
            dissolve();
        }

        /** The claim is gone; those who still wait enter another. */
        private void again() {
            turn.end();
            if (queue.isEmpty()) {
                dissolve();
            } else {
                ifFree = queue.first().request.ifFree();
                turn.enter(queue.first(), this, exclusive);
            }
        }

        private void loseOne(Hold hold, @Nullable String why, long now) {
            holds.remove(hold);
            lose(hold, why, now);
        }

        @Override
        public void reweighted(LiveClaim claim, boolean made, long now) {
            SharedGate.this.reweighted(claim, made, now);
        }

        @Override
        public void close() {
            SharedGate.this.close();
        }
    }
}
