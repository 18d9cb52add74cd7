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

    Answer granted(long sequence, long deadline, boolean wanted, @Nullable String refusal) {
        int waiters = wanted ? 1 : 0;
        return new Answer(
                quorum.micros(), Answer.State.GRANTED, sequence, deadline, 0, 0, deadline, waiters, RUN, refusal);
    }

    /** Makes the answer that a claim waits, at the first place, as every waiting claim is told. */
    Answer waiting(long sequence, long lease, @Nullable String refusal) {
        long now = quorum.micros();
        return new Answer(now, Answer.State.WAITING, sequence, now + lease, 0, 1, 0, 0, RUN, refusal);
    }

    /** Makes the answer that there is no claim. */
    Answer none(Answer.State how, @Nullable String refusal) {
        return new Answer(quorum.micros(), how, 0, 0, 0, 0, 0, 0, RUN, refusal);
    }
}
