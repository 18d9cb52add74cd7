package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A renewal of held claims on all members that have them; each is decided as soon as its own answers suffice. */
final class Renewal extends Round {
    /** A claim, and what is asked for it. */
    private final class Part {
        private final QuorumClaim claim;
        private final Request.Renew wish;
        private final Candidacy candidacy;
        private final Consumer<@Nullable StoreException> then;
        private final Ballot ballot = new Ballot();
        private final long[] confirmed = new long[quorum.size];
        /** The number of members that failed it but answered what was asked behind it; and why the last of them did. */
        private int failures;

        private @Nullable StoreException failure;

        Part(QuorumClaim claim, Request.Renew wish, Consumer<@Nullable StoreException> then) {
            this.claim = claim;
            this.wish = wish;
            this.then = then;
            candidacy = claim.candidacy();
        }

        private void told(Member member, Answer answer, Member.Standing standing) {
            Vote vote = candidacy.votes[member.index];
            if (answer.state() != Answer.State.GRANTED) {
                vote.clear();
                return;
            }
            vote.arrived();
            vote.sequence = answer.sequence();
            if (member.counts(standing, answer.server())) {
                candidacy.promise(member, quorum.promised(begun, answer), answer.server());
                confirmed[member.index] = ballot.counts(member, standing, answer.server()) ? answer.sequence() : 0;
            }
        }

        private boolean decide() {
            long majority = quorum.ofMajority(confirmed);
            if (majority == 0 && awaited() > 0) {
                return false;
            }
            claim.renewed(candidacy, wish.fresh() ? majority : 0);
            boolean reachable = answered - failures >= quorum.majority;
            then.accept(reachable ? null : StoreException.unreachable(store.trouble(failure), failure));
            return true;
        }
    }

    private final QuorumStore store;
    private final List<Part> undecided = new ArrayList<>();
    private final Moment begun;
    private int answered;

    Renewal(Quorum quorum, QuorumStore store) {
        super(quorum);
        this.store = store;
        begun = quorum.clock.moment();
    }

    /**
     * Adds a claim that is held.
     *
     * @param wish the engine's request
     * @param then called once the claim has been told; with a failure if no majority has answered
     */
    void add(QuorumClaim claim, Request.Renew wish, Consumer<@Nullable StoreException> then) {
        undecided.add(new Part(claim, wish, then));
    }

    /** Asks the members, unless nothing was added. */
    void send() {
        if (!undecided.isEmpty()) {
            quorum.members.forEach(this::send);
            await();
        }
    }

    private void send(Member member) {
        List<Part> there = new ArrayList<>();
        List<Request.Renew> requests = new ArrayList<>();
        for (Part part : undecided) {
            Vote vote = part.candidacy.votes[member.index];
            // Where an end was fixed nothing renews what a member has of the claim that missed it.
            if (vote.there && (vote.isFixed || !part.candidacy.isFixed())) {
                there.add(part);
                requests.add(part.candidacy.renewal(part.wish, vote.sequence));
            }
        }
        @Nullable Answer[] answers = new Answer[requests.size()];
        StandingQuestion question = new StandingQuestion(member, answers.length, standing -> {
            if (standing != null) {
                answered++;
                stands(member, there, answers, standing);
            }
            heard(member);
        });
        if (!requests.isEmpty()) {
            member.renew(requests, (which, answer) -> {
                answers[which] = answer;
                there.get(which).failure = answer == null ? member.trouble() : there.get(which).failure;
                question.answered();
            });
        }
        question.ask();
    }

    private static void stands(Member member, List<Part> there, @Nullable Answer[] answers, Member.Standing standing) {
        for (int i = 0; i < answers.length; i++) {
            Answer answer = answers[i];
            if (answer == null) {
                there.get(i).failures++;
            } else {
                there.get(i).told(member, answer, standing);
            }
        }
    }

    @Override
    boolean decide() {
        undecided.removeIf(Part::decide);
        return undecided.isEmpty();
    }
}
