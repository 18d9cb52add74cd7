package io.belay.internal.claim;

import io.belay.internal.claim.Belief.Phase;
import io.belay.spi.ClaimId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client in the search: what {@link LiveClaim} and {@link Engine} know, as a value, and what is left of its budgets.
 *
 * @param state whether it runs
 * @param deaf whether it takes pushes not to get through
 * @param number counts its claims
 * @param current the claim that is not over
 * @param leaving claims whose leave is not answered
 * @param kept claims that the store keeps or has kept
 */
record SimClient(
        State state,
        boolean deaf,
        int number,
        int enters,
        int yields,
        int renews,
        int resends,
        int reweights,
        int fixes,
        @Nullable SimClaim current,
        List<Leaving> leaving,
        List<Kept> kept) {

    /** Whether the client runs. */
    enum State {
        RUNS,
        PAUSED,
        CRASHED
    }

    /**
     * A claim that is not over, as {@link LiveClaim} keeps it.
     *
     * @param inFlight whether a request is not answered
     * @param resendAt when it is sent again; 0 where that does not depend on time
     * @param weight what the client believes to hold once it is granted
     * @param target the weight that it asked for, or 0
     * @param reweights how many changes of weight it knows of, or how many moves of its end it has asked for
     * @param end the end that it has asked for and that is not answered, or 0
     * @param request the number of the last request: only its answer ends the wait for one
     */
    record SimClaim(
            Belief belief,
            boolean inFlight,
            long resendAt,
            int weight,
            int target,
            int reweights,
            long end,
            int request) {
        SimClaim with(Belief next) {
            return new SimClaim(next, inFlight, resendAt, weight, target, reweights, end, request);
        }

        SimClaim waitingForAnswer(long until) {
            return new SimClaim(belief, true, until, weight, target, reweights, end, request + 1);
        }

        SimClaim answered() {
            return new SimClaim(belief, false, 0, weight, target, reweights, end, request);
        }

        /** Nothing of it is on its way, so the numbers may begin anew. */
        SimClaim countingAnew() {
            return new SimClaim(belief, inFlight, resendAt, weight, target, reweights, end, 0);
        }

        SimClaim ending(Belief believed, long at, int asked) {
            return new SimClaim(believed, inFlight, resendAt, weight, target, asked, at, request);
        }

        SimClaim weighing(int believed, int wanted, int seen) {
            return new SimClaim(belief, inFlight, resendAt, believed, wanted, seen, end, request);
        }
    }

    /**
     * A claim whose leave was sent.
     *
     * @param unclear whether it leaves a tombstone
     * @param resendAt when the leave is sent again; 0 where that does not depend on time
     * @param giveUpAt from when on it is not sent again
     * @param kept the end that the store is to keep it to, or 0
     * @param sequence its sequence, if it is kept
     * @param asked how many moves of its end were asked for before
     */
    record Leaving(ClaimId id, boolean unclear, long resendAt, long giveUpAt, long kept, long sequence, int asked) {
        Leaving plain() {
            return new Leaving(id, unclear, resendAt, giveUpAt, 0, 0, 0);
        }

        Leaving under(long now) {
            return new Leaving(id, unclear, resendAt, giveUpAt, kept, now, asked);
        }

        Leaving again(long at) {
            return new Leaving(id, unclear, at, giveUpAt, kept, sequence, asked);
        }
    }

    /** A claim that the store keeps for the client, under that sequence. */
    record Kept(ClaimId id, long sequence) {}

    static SimClient of(SimSetup.Role role) {
        return new SimClient(
                State.RUNS,
                false,
                0,
                role.enters(),
                role.yields(),
                role.renews(),
                role.resends(),
                role.reweights(),
                role.fixes(),
                null,
                List.of(),
                List.of());
    }

    boolean runs() {
        return state == State.RUNS;
    }

    boolean isAlive() {
        return state != State.CRASHED;
    }

    boolean isHeld(long nanos) {
        return isAlive() && current != null && current.belief().isHeld(nanos);
    }

    boolean isInterestedIn(ClaimId id) {
        return current != null && current.belief().id().equals(id);
    }

    boolean isLeaving(ClaimId id) {
        return leaving.stream().anyMatch(l -> l.id().equals(id));
    }

    /** When {@link LiveClaim} would have its timer fire. */
    long timer() {
        if (current == null) {
            return Long.MAX_VALUE;
        }
        Belief b = current.belief();
        long at = current.inFlight() ? current.resendAt() : b.askAt();
        if (!current.inFlight() && b.phase() == Phase.WAITING && b.anchor() != null && deaf) {
            at = Math.min(at, b.anchor().sent() + 666_666_666);
        }
        return b.phase() == Phase.HELD ? Math.min(at, b.until()) : at;
    }

    SimClient in(State next) {
        return new SimClient(
                next, deaf, number, enters, yields, renews, resends, reweights, fixes, current, leaving, kept);
    }

    SimClient crashed() {
        return new SimClient(State.CRASHED, false, number, 0, 0, 0, 0, 0, 0, null, List.of(), List.of());
    }

    SimClient deaf(boolean next) {
        return new SimClient(
                state, next, number, enters, yields, renews, resends, reweights, fixes, current, leaving, kept);
    }

    SimClient with(@Nullable SimClaim next) {
        return new SimClient(
                state, deaf, number, enters, yields, renews, resends, reweights, fixes, next, leaving, kept);
    }

    SimClient entering(SimClaim next) {
        return new SimClient(
                state, deaf, number + 1, enters - 1, yields, renews, resends, reweights, fixes, next, leaving, kept);
    }

    SimClient mayEnterAgain() {
        return new SimClient(
                state, deaf, number, enters + 1, yields, renews, resends, reweights, fixes, current, leaving, kept);
    }

    SimClient spend(int onYields, int onRenews, int onResends, int onReweights) {
        return new SimClient(
                state,
                deaf,
                number,
                enters,
                yields - onYields,
                renews - onRenews,
                resends - onResends,
                reweights - onReweights,
                fixes,
                current,
                leaving,
                kept);
    }

    SimClient spendFix() {
        return new SimClient(
                state, deaf, number, enters, yields, renews, resends, reweights, fixes - 1, current, leaving, kept);
    }

    SimClient leaving(Leaving claim) {
        List<Leaving> all = new ArrayList<>(without(claim.id()).leaving);
        all.add(claim);
        return new SimClient(
                state,
                deaf,
                number,
                enters,
                yields,
                renews,
                resends,
                reweights,
                fixes,
                current,
                List.copyOf(all),
                kept);
    }

    /** Notes that the store keeps a claim that was left, under that sequence. */
    SimClient keeping(ClaimId id, long sequence) {
        List<Kept> all = new ArrayList<>(kept);
        all.add(new Kept(id, sequence));
        SimClient left = without(id);
        return new SimClient(
                state,
                deaf,
                number,
                enters,
                yields,
                renews,
                resends,
                reweights,
                fixes,
                current,
                left.leaving,
                List.copyOf(all));
    }

    /** Returns whether the store is asked to keep a claim that was left, under an earlier sequence. */
    boolean isKeeping(ClaimId id, long sequence) {
        return leaving.stream().anyMatch(l -> l.id().equals(id) && l.kept() != 0 && sequence > l.sequence());
    }

    /** Returns whether the store keeps a claim under that sequence. */
    boolean isKept(ClaimId id, long sequence) {
        return kept.contains(new Kept(id, sequence));
    }

    /** Returns whether a claim that was kept has entered anew under that sequence. */
    boolean isAnew(ClaimId id, long sequence) {
        return kept.stream().anyMatch(k -> k.id().equals(id) && sequence > k.sequence());
    }

    SimClient without(ClaimId id) {
        return new SimClient(
                state,
                deaf,
                number,
                enters,
                yields,
                renews,
                resends,
                reweights,
                fixes,
                current,
                leaving.stream().filter(l -> !l.id().equals(id)).toList(),
                kept);
    }
}
