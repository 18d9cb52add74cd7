package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
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
 * The release signals, by which waiting claims learn of a release. Beside a lock's name every member keeps a resource
 * that is the lock's bell: a client that waits enters a claim there that bothers nobody, and a client that releases
 * ends all of these by force, of which the members tell their owners. A signal that is not heard costs time and no
 * more, since a waiting claim looks again by itself.
 */
final class Bells {
    /** The end of a bell's name: no name of a lock has such a character. */
    private static final String BELL = "\u0007";

    /** The lease of a claim on a bell, in microseconds; the claim is entered anew when half of the lease is over. */
    private static final long LEASE = 10_000_000;

    private final Quorum quorum;
    private final Map<String, Bell> bells = new HashMap<>();
    private long number;

    Bells(Quorum quorum) {
        this.quorum = quorum;
    }

    /** The claims of this client that wait for one name, and their claim on its bell. */
    private static final class Bell {
        final Set<QuorumClaim> waiting = new LinkedHashSet<>();
        final ClaimId id;
        /** The instants until which members will signal, in nanoseconds; meaningless while not armed. */
        final long[] until;

        final boolean[] armed;

        Bell(ClaimId id, int members) {
            this.id = id;
            until = new long[members];
            armed = new boolean[members];
        }
    }

    /** Lets the claim hear the release signals of its name from now on, once {@link #arm} has been called. */
    void listen(String name, QuorumClaim claim) {
        bells.computeIfAbsent(name, key -> new Bell(new ClaimId(quorum.client, ++number), quorum.size))
                .waiting
                .add(claim);
    }

    /** Makes members signal a release; to be called before each look, lest a release between the two be missed. */
    void arm(String name, Owner owner) {
        Bell bell = bells.get(name);
        if (bell == null) {
            return;
        }
        long now = quorum.clock.nanos();
        for (Member member : quorum.members) {
            int i = member.index;
            if (bell.armed[i] && bell.until[i] - now > LEASE * 1000 / 2) {
                continue;
            }
            bell.armed[i] = true;
            bell.until[i] = now + LEASE * 1000;
            Request.Enter enter =
                    new Request.Enter(name + BELL, bell.id, Resource.WHOLE, 1, LEASE, 0, true, 0, false, owner);
            member.send(enter, answer -> bell.armed[i] &= answer != null && answer.state() == Answer.State.GRANTED);
        }
    }

    void deafen(String name, QuorumClaim claim) {
        Bell bell = bells.get(name);
        if (bell == null || !bell.waiting.remove(claim) || !bell.waiting.isEmpty()) {
            return;
        }
        bells.remove(name);
        for (Member member : quorum.members) {
            if (bell.armed[member.index]) {
                long until = quorum.clock.nanos() + LEASE * 1000;
                member.leave(new Request.Leave(name + BELL, bell.id, false), until, answer -> {});
            }
        }
    }

    /** Signals that the name is free, so that all claims that wait for it look. */
    void ring(String name) {
        for (Member member : quorum.members) {
            member.send(new Request.Evict(name + BELL), answer -> {});
        }
    }

    /** Returns the claims that this push signals that their lock is free. */
    List<QuorumClaim> heard(Member member, Push push) {
        String resource = push.resource();
        if (!resource.endsWith(BELL)) {
            return List.of();
        }
        Bell bell = bells.get(resource.substring(0, resource.length() - BELL.length()));
        if (bell == null || !bell.id.equals(push.id())) {
            return List.of();
        }
        bell.armed[member.index] = false;
        return new ArrayList<>(bell.waiting);
    }

    /** Notes that the member may have forgotten who listens. */
    void disarm(Member member) {
        bells.values().forEach(bell -> bell.armed[member.index] = false);
    }

    int size() {
        return bells.size();
    }
}
