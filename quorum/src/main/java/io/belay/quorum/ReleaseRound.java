package io.belay.quorum;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.Request;
import java.util.function.Consumer;

/** The release of a held claim on all members, with an outcome that the engine waits for. */
final class ReleaseRound extends Round {
    private final Vote[] votes;
    private final PromisedEnd until;
    private final Consumer<Answer.State> then;
    private int left;
    private int gone;

    /**
     * @param votes where the claim is
     * @param until when the claim is held no more
     * @param then told the {@link #outcome()}
     */
    ReleaseRound(Quorum quorum, Vote[] votes, PromisedEnd until, Consumer<Answer.State> then) {
        super(quorum);
        this.votes = votes;
        this.until = until;
        this.then = then;
    }

    void send(String resource, ClaimId id, long untilNanos) {
        for (Member member : quorum.members) {
            Vote vote = votes[member.index];
            if (!vote.there) {
                gone++;
                heard(member);
                continue;
            }
            member.leave(Request.Leave.of(resource, id, vote.isUnclear()), untilNanos, answer -> {
                if (answer.state() == Answer.State.LEFT) {
                    left++;
                } else {
                    gone++;
                }
                heard(member);
            });
        }
        await();
    }

    @Override
    boolean decide() {
        if (left < quorum.majority && awaited() > 0) {
            return false;
        }
        then.accept(outcome());
        return true;
    }

    /** Returns LEFT or GONE, or WAITING if too few members have answered to say so. */
    Answer.State outcome() {
        if (left >= quorum.majority) {
            return Answer.State.LEFT;
        } else if (left + gone < quorum.majority) {
            return Answer.State.WAITING;
        }
        // While the lease lasts nobody else had it, so that what was there of it will do.
        return left > 0 && quorum.micros() < until.by(quorum.clock.moment()) ? Answer.State.LEFT : Answer.State.GONE;
    }
}
