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
        @Nullable SimClaim current,
        List<Leaving> leaving) {

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
     * @param reweights how many changes of weight it knows of
     * @param request the number of the last request: only its answer ends the wait for one
     */
    record SimClaim(
            Belief belief, boolean inFlight, long resendAt, int weight, int target, int reweights, int request) {
        SimClaim with(Belief next) {
            return new SimClaim(next, inFlight, resendAt, weight, target, reweights, request);
        }

        SimClaim waitingForAnswer(long until) {
            return new SimClaim(belief, true, until, weight, target, reweights, request + 1);
        }

        SimClaim answered() {
            return new SimClaim(belief, false, 0, weight, target, reweights, request);
        }

        /** Nothing of it is on its way, so the numbers may begin anew. */
        SimClaim countingAnew() {
            return new SimClaim(belief, inFlight, resendAt, weight, target, reweights, 0);
        }

        SimClaim weighing(int believed, int wanted, int seen) {
            return new SimClaim(belief, inFlight, resendAt, believed, wanted, seen, request);
        }
    }

    /**
     * A claim whose leave was sent.
     *
     * @param unclear whether it leaves a tombstone
     * @param resendAt when the leave is sent again; 0 where that does not depend on time
     * @param giveUpAt from when on it is not sent again
     */
    record Leaving(ClaimId id, boolean unclear, long resendAt, long giveUpAt) {}

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
                null,
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
        return new SimClient(next, deaf, number, enters, yields, renews, resends, reweights, current, leaving);
    }

    SimClient crashed() {
        return new SimClient(State.CRASHED, false, number, 0, 0, 0, 0, 0, null, List.of());
    }

    SimClient deaf(boolean next) {
        return new SimClient(state, next, number, enters, yields, renews, resends, reweights, current, leaving);
    }

    SimClient with(@Nullable SimClaim next) {
        return new SimClient(state, deaf, number, enters, yields, renews, resends, reweights, next, leaving);
    }

    SimClient entering(SimClaim next) {
        return new SimClient(state, deaf, number + 1, enters - 1, yields, renews, resends, reweights, next, leaving);
    }

    SimClient mayEnterAgain() {
        return new SimClient(state, deaf, number, enters + 1, yields, renews, resends, reweights, current, leaving);
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
                current,
                leaving);
    }

    SimClient leaving(Leaving claim) {
        List<Leaving> all = new ArrayList<>(without(claim.id()).leaving);
        all.add(claim);
        return new SimClient(
                state, deaf, number, enters, yields, renews, resends, reweights, current, List.copyOf(all));
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
                current,
                leaving.stream().filter(l -> !l.id().equals(id)).toList());
    }
}
