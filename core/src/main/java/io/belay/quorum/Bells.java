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
 * How who waits learns of a release. Beside a name every member keeps a resource that is its bell: who waits enters a
 * claim there that bothers nobody, and who releases ends all of them by force, of which the members tell their owners.
 * A bell that is not heard costs time and no more, since who waits looks again by itself.
 */
final class Bells {
    /** No name of a lock has such a character. */
    private static final String BELL = "\u0007";

    /** For how long a claim on a bell stands, in microseconds; it is entered anew when half of that is over. */
    private static final long LEASE = 10_000_000;

    private final Quorum quorum;
    private final Map<String, Bell> bells = new HashMap<>();
    private long number;

    Bells(Quorum quorum) {
        this.quorum = quorum;
    }

    /** Those of this client who wait for one name. */
    private static final class Bell {
        final Set<QuorumClaim> waiting = new LinkedHashSet<>();
        final ClaimId id;
        /** Until when it will be heard from each member, in nanoseconds; meaningless while not armed. */
        final long[] until;

        final boolean[] armed;

        Bell(ClaimId id, int members) {
            this.id = id;
            until = new long[members];
            armed = new boolean[members];
        }
    }

    /** From now on the claim hears the bell of its name, once {@link #arm} has been called. */
    void listen(String name, QuorumClaim claim) {
        bells.computeIfAbsent(name, key -> new Bell(new ClaimId(quorum.client, ++number), quorum.size))
                .waiting
                .add(claim);
    }

    /** Sees to it that the bell is heard; to be called before each look, lest a release between the two be missed. */
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

    /** The name is free: whoever waits for it is to look. */
    void ring(String name) {
        for (Member member : quorum.members) {
            member.send(new Request.Evict(name + BELL), answer -> {});
        }
    }

    /** The claims that hear by this push that their lock is free. */
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

    /** The member may have forgotten who listens. */
    void disarm(Member member) {
        bells.values().forEach(bell -> bell.armed[member.index] = false);
    }

    int size() {
        return bells.size();
    }
}
