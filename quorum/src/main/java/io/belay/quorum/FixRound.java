package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.Request;
import io.belay.spi.StoreException;
import io.belay.support.Moment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fixing of a held claim's end on all members that have it. It counts once a majority has it: as for a renewal, of the
 * members that surely remember all others' claims.
 */
final class FixRound extends Round {
    private final Request.Fix wish;
    private final Candidacy candidacy;
    private final Consumer<FixRound> then;
    private final Ballot ballot = new Ballot();
    private int made;
    private int failures;
    private int answered;
    private @Nullable StoreException failure;

    /**
     * @param wish the engine's request
     * @param then told once the round is decided
     */
    FixRound(Quorum quorum, Request.Fix wish, Candidacy candidacy, Consumer<FixRound> then) {
        super(quorum);
        this.wish = wish;
        this.candidacy = candidacy;
        this.then = then;
    }

    void send() {
        for (Member member : quorum.members) {
            if (candidacy.votes[member.index].there) {
                send(member, true);
            } else {
                member.standing(standing -> {
                    answered += standing == null ? 0 : 1;
                    heard(member);
                });
            }
        }
        await();
    }

    private void send(Member member, boolean again) {
        Vote vote = candidacy.votes[member.index];
        Moment sent = quorum.clock.moment();
        long sequence = vote.sequence;
        @Nullable Answer[] told = new Answer[1];
        StandingQuestion question = new StandingQuestion(member, 1, standing -> {
            Answer answer = told[0];
            Answer granted = answer != null && answer.state() == Answer.State.GRANTED ? answer : null;
            if (again && granted != null && granted.reweights() <= wish.reweights() && granted.sequence() != sequence) {
                vote.sequence = granted.sequence(); // its answer to the enter had not come yet
                send(member, false);
                return;
            }
            answered += standing == null ? 0 : 1;
            failures += standing != null && answer == null ? 1 : 0;
            if (granted != null) {
                told(vote, granted, sent, standing != null && ballot.counts(member, standing, granted.server()));
            } else if (answer != null) {
                vote.clear();
            }
            heard(member);
        });
        member.send(Request.Fix.of(wish.resource(), candidacy.id, sequence, wish.reweights(), wish.lease()), answer -> {
            told[0] = answer;
            failure = answer == null ? member.trouble() : failure;
            question.answered();
        });
        question.ask();
    }

    private void told(Vote vote, Answer answer, Moment sent, boolean counts) {
        vote.arrived();
        vote.sequence = answer.sequence();
        if (answer.reweights() > wish.reweights()) {
            PromisedEnd until = quorum.promised(sent, answer);
            Moment now = quorum.clock.moment();
            vote.until = counts || until.by(now) < vote.until.by(now) ? until : vote.until;
            // Where it does not count, another member may have been led to that server: what this one's has promised
            // stands.
            vote.server = counts ? answer.server() : vote.server;
            vote.isFixed = true;
            made += counts ? 1 : 0;
        }
    }

    @Override
    boolean decide() {
        if (made < quorum.majority && awaited() > 0) {
            return false;
        }
        then.accept(this);
        return true;
    }

    /** Returns whether a majority has the end. */
    boolean isMade() {
        return made >= quorum.majority;
    }

    /** Returns whether a majority has answered. */
    boolean isAnswered() {
        return answered - failures >= quorum.majority;
    }

    /** Returns why a member failed it that answers others; null if none did. */
    @Nullable
    StoreException failure() {
        return failure;
    }
}
