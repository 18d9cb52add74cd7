package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The release signals, by which the first of those that wait learns of a release. Beside a lock's name every member keeps a
 * resource that is the lock's bell: a client that waits enters a claim there that bothers nobody, and a client that releases
 * ends all of these by force, of which the members tell their owners. A signal that is not heard costs time and no
 * more, since a waiting claim looks again by itself.
 */
final class ReleaseSignals {
    /** The end of a bell's name: no name of a lock has such a character. */
    private static final String SIGNAL = "\u0007";

    /** The lease of a claim on a bell, in microseconds; the claim is entered anew when half of the lease is over. */
    private static final long LEASE = 10_000_000;

    /** A claim that waits for a release. */
    interface Waiter {
        /** Tells it that the lock is free, or may be; no member signals another release before it is armed anew. */
        void signalled();
    }

    private final Quorum quorum;
    private final Map<String, ReleaseSignal> signals = new HashMap<>();
    private long number;

    ReleaseSignals(Quorum quorum) {
        this.quorum = quorum;
    }

    /** The claims of this client that wait for one name, and their claim on its bell. */
    private static final class ReleaseSignal {
        final Set<Waiter> waiting = new LinkedHashSet<>();
        final ClaimId id;
        /** The instants until which members will signal, in nanoseconds; meaningless while not armed. */
        final long[] until;

        final boolean[] armed;

        ReleaseSignal(ClaimId id, int members) {
            this.id = id;
            until = new long[members];
            armed = new boolean[members];
        }
    }

    /** Lets the claim hear the release signals of its name from now on, once {@link #arm} has been called. */
    void listen(String name, Waiter claim) {
        signals.computeIfAbsent(name, key -> new ReleaseSignal(ClaimId.of(quorum.client, ++number), quorum.size))
                .waiting
                .add(claim);
    }

    /** Makes members signal a release; to be called before each look, lest a release between the two be missed. */
    void arm(String name, Owner owner) {
        ReleaseSignal signal = signals.get(name);
        if (signal == null) {
            return;
        }
        long now = quorum.clock.nanos();
        for (Member member : quorum.members) {
            int i = member.index;
            if (!member.isWell() || (signal.armed[i] && signal.until[i] - now > LEASE * 1000 / 2)) {
                continue;
            }
            signal.armed[i] = true;
            signal.until[i] = now + LEASE * 1000;
            Request.Enter enter = Request.Enter.of(
                    name + SIGNAL,
                    signal.id,
                    ClaimSpec.of(Resource.WHOLE, 1, LEASE).withIfFree(true),
                    0,
                    owner);
            member.send(enter, answer -> signal.armed[i] &= answer != null && answer.state() == Answer.State.GRANTED);
        }
    }

    void deafen(String name, Waiter claim) {
        ReleaseSignal signal = signals.get(name);
        if (signal == null || !signal.waiting.remove(claim) || !signal.waiting.isEmpty()) {
            return;
        }
        signals.remove(name);
        for (Member member : quorum.members) {
            if (signal.armed[member.index]) {
                long until = quorum.clock.nanos() + LEASE * 1000;
                member.leave(Request.Leave.of(name + SIGNAL, signal.id, false), until, answer -> {});
            }
        }
    }

    /** Signals that the name is free, so that all claims that wait for it look. */
    void signal(String name) {
        for (Member member : quorum.members) {
            member.send(Request.Evict.of(name + SIGNAL), answer -> {});
        }
    }

    /** Returns the claims that this push signals that their lock is free. */
    List<Waiter> heard(Member member, Push push) {
        String resource = push.resource();
        if (!resource.endsWith(SIGNAL)) {
            return List.of();
        }
        ReleaseSignal signal = signals.get(resource.substring(0, resource.length() - SIGNAL.length()));
        if (signal == null || !signal.id.equals(push.id())) {
            return List.of();
        }
        signal.armed[member.index] = false;
        return new ArrayList<>(signal.waiting);
    }

    /** Notes that the member may have forgotten who listens. */
    void disarm(Member member) {
        signals.values().forEach(signal -> signal.armed[member.index] = false);
    }

    int size() {
        return signals.size();
    }
}
