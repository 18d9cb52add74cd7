package io.belay.quorum;

import java.util.HashMap;
import java.util.Map;

/**
 * The members whose words count in one question. A server that is behind several members has one vote: a store connects anew by
 * itself, to whatever is behind the address then, so each answer is looked at.
 */
final class Ballot {
    /** By the run of a server, the first member through which it has answered. */
    private final Map<Long, Member> servers = new HashMap<>();

    /** Returns whether the answer of that run of a server counts. */
    boolean counts(Member member, Member.Standing standing, long run) {
        if (!member.counts(standing, run)) {
            return false;
        }
        Member first = run == 0 ? member : servers.computeIfAbsent(run, none -> member);
        if (first.index < member.index) {
            member.isAlso(first);
        } else if (first != member) {
            first.isAlso(member);
        }
        return first == member;
    }
}
