package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The place of a waiting claim in the queue of all that wait for the same lock, which one member keeps beside the lock. The first
 * there tries to have the lock, and hears the release signals. The others let it: of many that try at once each would get some
 * members' votes, and none a majority.
 *
 * <p>Who has the lock is for a majority to say. The queue only says who asks for it next: a second one, kept by another member
 * while clients do not agree which of them answers, costs time and no more. Where no member answers everybody is the first.
 */
final class Place {
    /** The end of the queue's name: no name of a lock has such a character. */
    static final String QUEUE = "\u0006";

    /** The longest for which the dead are in the way of those behind them, in microseconds. */
    private static final long LONGEST_LEASE = 2_000_000;

    /** The time from when one of those that wait looks whether the first is dead until the next one does, in nanoseconds. */
    private static final long APART = 10_000_000;

    private static final Owner NOBODY = Owner.of("", "", 0, "");

    /** The claim whose place it is. */
    interface Waiter extends ReleaseSignals.Waiter {
        /** Tells it that it is the first of those that wait. */
        void becomesFirst();
    }

    private final Quorum quorum;
    private final ReleaseSignals signals;
    private final Waiter claim;
    private final String lock;
    private final String queue;
    private final long lease;
    private final Supplier<ClaimId> ids;
    private final Vote vote = new Vote();
    private ClaimId id = ClaimId.of(0, 0);
    private @Nullable Member keeper;
    private boolean taken;
    private boolean first;
    /** The number of looks, and of answers to them: of all that was begun only the last counts. */
    private int steps;

    /** Makes a place of the claim that wants to {@code enter}; it is not taken yet. */
    Place(Quorum quorum, ReleaseSignals signals, Waiter claim, Request.Enter enter, Supplier<ClaimId> ids) {
        this.quorum = quorum;
        this.signals = signals;
        this.claim = claim;
        this.ids = ids;
        lock = enter.resource();
        queue = lock + QUEUE;
        lease = Math.min(enter.spec().lease(), LONGEST_LEASE);
    }

    boolean isTaken() {
        return taken;
    }

    /** Returns whether the claim is to try for the lock. */
    boolean isFirst() {
        return first;
    }

    /** Takes the place, or keeps it for longer, and looks how it stands; again and again from then on. */
    void look() {
        taken = true;
        int step = ++steps;
        Member asked = choose();
        if (asked == null) {
            stands(true);
            lookIn(quorum.jittered(lease * 1000 / 3));
            return;
        }
        Request.Enter enter = Request.Enter.of(queue, id, ClaimSpec.whole(lease), 0, NOBODY);
        vote.entering(asked.send(enter, answer -> {
            if (step == steps) {
                answered(answer);
            }
        }));
        quorum.afterTimeout(() -> step == steps, () -> {
            asked.suspect();
            look();
        });
    }

    private void answered(@Nullable Answer answer) {
        if (answer == null) {
            look(); // elsewhere, as the member is in trouble now
            return;
        }
        boolean waits = answer.state() == Answer.State.WAITING;
        stands(!waits);
        long pause = quorum.jittered(lease * 1000 / 3);
        lookIn(waits ? Math.min(pause, (answer.expiry() - answer.time()) * 1000 + answer.place() * APART) : pause);
    }

    private void lookIn(long nanos) {
        int step = ++steps;
        quorum.later(nanos, () -> {
            if (step == steps) {
                look();
            }
        });
    }

    /**
     * Returns who keeps the queue, null for nobody: the one that did so until now as long as it is well, then the same for all
     * that know the same members to be well, and another for another lock.
     */
    private @Nullable Member choose() {
        if (keeper != null && keeper.isWell()) {
            return keeper;
        }
        giveUp();
        id = ids.get();
        for (int i = 0; i < quorum.size; i++) {
            Member member = quorum.members.get(Math.floorMod(queue.hashCode() + i, quorum.size));
            if (member.isWell()) {
                keeper = member;
                break;
            }
        }
        return keeper;
    }

    private void stands(boolean isFirst) {
        if (isFirst && !first) {
            signals.listen(lock, claim);
            claim.becomesFirst();
        } else if (!isFirst && first) {
            signals.deafen(lock, claim);
        }
        first = isFirst;
    }

    /** Hears that the claim has become the first, or has lost its place. */
    void pushed(Push push) {
        if (taken && push.id().equals(id)) {
            look(); // which picks the place up
            if (push.granted()) {
                stands(true);
            }
        }
    }

    void leave() {
        steps++;
        taken = false;
        stands(false);
        giveUp();
    }

    private void giveUp() {
        if (keeper != null && vote.there) {
            Request.Leave leave = Request.Leave.of(queue, id, vote.isUnclear());
            keeper.leave(leave, quorum.clock.nanos() + lease * 1000, answer -> {});
            vote.clear();
        }
        keeper = null;
    }
}
