package io.belay.document;

import io.belay.document.States.State;
import io.belay.spi.Answer;
import io.belay.spi.Claim;
import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** The claims that this client has on one resource, as their owners know them: it pushes whatever else it sees. */
final class OwnClaims {
    private record Known(
            long sequence, long deadline, boolean granted, boolean sticky, boolean wanted, boolean fixed) {}

    /** A number that is no run of a server: a push under it is a hint to ask. */
    private static final long HINT = -1;

    private final String resource;
    private final long client;
    private final Map<ClaimId, Known> known = new HashMap<>(2);

    OwnClaims(String resource, long client) {
        this.resource = resource;
        this.client = client;
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    /**
     * Returns after how many turns of others one of the claims may be granted, or is to be told that somebody wants
     * what it has, which is at once; 0 if none waits for either. As many as are granted have their turns at the same
     * time.
     */
    int turnsAhead(Resource state) {
        int first = firstWaiting(state);
        if (isSticky(state)) {
            return 1;
        }
        return first < 0 ? 0 : 1 + (first - state.granted()) / Math.max(1, state.granted());
    }

    /** Returns the place of the first of the claims that waits; -1 if none does. */
    private int firstWaiting(Resource state) {
        for (int i = state.granted(); i < state.claims().size(); i++) {
            if (state.claims().get(i).id().client() == client) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether one of the claims is over at that time, unless it is renewed. */
    boolean isAnyOver(Resource state, long time) {
        return state.claims().stream().anyMatch(claim -> claim.id().client() == client && claim.deadline() < time);
    }

    private boolean isSticky(Resource state) {
        return state.holders().stream().anyMatch(claim -> claim.id().client() == client && claim.sticky());
    }

    /**
     * Returns a number that is another one when something happens that matters to the claims: who stands before them,
     * or has been granted something else, or wants what they have. Others may come, renew and leave behind them.
     */
    int situation(State state) {
        Resource resource = state.resource();
        int first = firstWaiting(resource);
        boolean sticky = isSticky(resource);
        int situation = sticky ? 31 * resource.claims().size() + Long.hashCode(state.wanted()) : 0;
        for (int i = 0; i < resource.claims().size(); i++) {
            Claim claim = resource.claims().get(i);
            if (i < first || claim.id().client() == client) {
                situation = 31 * (31 * situation + claim.id().hashCode()) + Long.hashCode(claim.sequence());
            }
        }
        return situation;
    }

    /**
     * Returns in how many microseconds a client that others call is to look all the same: when all claims are over, unless they
     * are renewed, and sooner where nothing is sent for one, as a call that is lost is to cost a third of what is left.
     */
    long lookIn(long time) {
        long last = 0;
        long soonest = Long.MAX_VALUE;
        for (Known claim : known.values()) {
            last = Math.max(last, claim.deadline() - time);
            soonest = claim.fixed() ? Math.min(soonest, (claim.deadline() - time) / 3) : soonest;
        }
        return Math.min(last, soonest);
    }

    /** Notes what an owner is told of its claim. */
    void told(ClaimId id, Answer answer) {
        if (id.client() != client) {
            return;
        }
        boolean granted = answer.state() == Answer.State.GRANTED;
        if (granted || answer.state() == Answer.State.WAITING) {
            known.put(
                    id,
                    new Known(
                            answer.sequence(),
                            answer.deadline(),
                            granted,
                            false,
                            granted && answer.waiters() > 0,
                            false));
        } else {
            known.remove(id);
        }
    }

    /**
     * Returns pushes of what the owners do not know yet, and takes them for told.
     *
     * @param wanted whether somebody wants what is there, though the state does not say so
     */
    List<Push> news(Resource state, long time, boolean wanted) {
        List<Push> news = new ArrayList<>(0);
        Map<ClaimId, Known> now = present(state, time, wanted);
        for (Iterator<Map.Entry<ClaimId, Known>> all = known.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<ClaimId, Known> entry = all.next();
            ClaimId id = entry.getKey();
            Known is = now.get(id);
            if (is == null) {
                all.remove();
                Known was = entry.getValue();
                long deadline = isOver(was, state, time) ? was.deadline() : 0; // by force
                // Unless the database was put back to before its grant, or has lost the row: its owner is to ask.
                boolean knows = state.last() >= was.sequence();
                news.add(Push.of(resource, id, was.sequence(), false, time, deadline)
                        .from(knows ? 0 : HINT));
                continue;
            }
            Known was = entry.setValue(is);
            boolean more = is.sticky() && is.wanted() && (wanted || !was.wanted());
            if (is.granted() && (!was.granted() || was.sequence() != is.sequence() || more)) {
                news.add(Push.granted(resource, id, is.sequence(), time, is.deadline())
                        .withWanted(is.wanted()));
            }
        }
        return news;
    }

    /** Returns whether a lease is over by the clock here, or was by that of a host that has had a claim granted since. */
    private static boolean isOver(Known claim, Resource state, long time) {
        long later = claim.sequence() < claim.deadline() ? Math.max(time, state.last()) : time;
        return claim.deadline() <= later;
    }

    private Map<ClaimId, Known> present(Resource state, long time, boolean wanted) {
        Map<ClaimId, Known> present = new HashMap<>(2);
        boolean waiting = state.claims().size() > state.granted();
        for (int i = 0; i < state.claims().size(); i++) {
            Claim claim = state.claims().get(i);
            if (claim.id().client() == client && claim.deadline() > time) {
                boolean granted = i < state.granted();
                boolean called = waiting || (wanted && claim.sticky());
                present.put(
                        claim.id(),
                        new Known(
                                claim.sequence(),
                                claim.deadline(),
                                granted,
                                claim.sticky(),
                                granted && called,
                                granted && claim.fixedLease() > 0));
            }
        }
        return present;
    }
}
