package io.belay.quorum;

import io.belay.spi.Answer;
import org.jspecify.annotations.Nullable;

/** A maker of the answers that the engine is given, in this client's time. */
final class AnswerFactory {
    /** The run of the store that answers: this client's, always the same. */
    static final long RUN = 1;

    private final Quorum quorum;

    AnswerFactory(Quorum quorum) {
        this.quorum = quorum;
    }

    Answer granted(long sequence, long deadline, int changes, boolean wanted, @Nullable String refusal) {
        int waiters = wanted ? 1 : 0;
        return Answer.of(Answer.State.GRANTED, quorum.micros())
                .withClaim(sequence, deadline)
                .withReweights(changes)
                .withQueue(deadline, waiters)
                .withRefusal(refusal)
                .from(RUN);
    }

    /** Makes the answer that a claim waits, at the first place, as every waiting claim is told. */
    Answer waiting(long sequence, long lease, @Nullable String refusal) {
        long now = quorum.micros();
        return Answer.of(Answer.State.WAITING, now)
                .withClaim(sequence, now + lease)
                .withPlace(1)
                .withRefusal(refusal)
                .from(RUN);
    }

    /** Makes the answer that there is no claim. */
    Answer none(Answer.State how, @Nullable String refusal) {
        return Answer.of(how, quorum.micros()).withRefusal(refusal).from(RUN);
    }
}
