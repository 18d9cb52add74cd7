package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renews held claims on all members that have them. */
final class Renewal extends Round {
    /** A claim, and what is asked for it. */
    private record Part(QuorumClaim claim, Request.Renew wish, Stay stay, long[] confirmed) {}

    private final List<Part> parts = new ArrayList<>();
    private final Runnable then;
    private final long begun;
    private int answered;
    private boolean reachable;

    /** {@code then} is called once every claim has been told. */
    Renewal(Quorum quorum, Runnable then) {
        super(quorum);
        this.then = then;
        begun = quorum.micros();
    }

    /** Of a claim that is held; the request is the engine's. */
    void add(QuorumClaim claim, Request.Renew wish) {
        parts.add(new Part(claim, wish, claim.stay(), new long[quorum.size]));
    }

    void send() {
        for (Member member : quorum.members) {
            List<Part> there = new ArrayList<>();
            List<Request.Renew> requests = new ArrayList<>();
            for (Part part : parts) {
                Share share = part.stay.shares[member.index];
                if (share.there) {
                    there.add(part);
                    requests.add(part.stay.renewal(part.wish, share.sequence));
                }
            }
            if (requests.isEmpty()) {
                // Nothing to ask but whether it is there.
                member.standing(standing -> stands(member, there, standing == null ? null : List.of(), standing));
                continue;
            }
            List<List<Answer>> heard = new ArrayList<>(1);
            member.renew(requests, answers -> {
                if (answers != null) {
                    heard.add(answers);
                }
            });
            member.standing(standing -> stands(member, there, heard.isEmpty() ? null : heard.get(0), standing));
        }
        await();
    }

    private void stands(
            Member member, List<Part> there, @Nullable List<Answer> answers, Member.@Nullable Standing standing) {
        if (answers != null && standing != null) {
            answered++;
            for (int i = 0; i < answers.size(); i++) {
                told(member, there.get(i), answers.get(i), standing);
            }
        }
        heard(member);
    }

    private void told(Member member, Part part, Answer answer, Member.Standing standing) {
        Share share = part.stay.shares[member.index];
        if (answer.state() != Answer.State.GRANTED) {
            share.clear();
            return;
        }
        share.unclear = false;
        share.sequence = answer.sequence();
        if (member.counts(standing, answer.server())) {
            share.until = Math.max(share.until, begun + answer.deadline() - answer.time());
            part.confirmed[member.index] = answer.sequence();
        }
    }

    @Override
    boolean decide() {
        if (awaited() > 0 && parts.stream().anyMatch(part -> quorum.ofMajority(part.confirmed) == 0)) {
            return false;
        }
        reachable = answered >= quorum.majority;
        parts.forEach(part -> part.claim.renewed(part.stay, part.wish.fresh() ? quorum.ofMajority(part.confirmed) : 0));
        then.run();
        return true;
    }

    /** Whether a majority has answered. */
    boolean wasReachable() {
        return reachable;
    }
}
