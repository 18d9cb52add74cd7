package io.belay.internal.claim;

import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;

/** The places where a rule is taken out of the protocol, around the production code; by default all stay in. */
public interface Mutant {
    /** The request that the store runs instead. */
    default Request request(Resource before, Request request) {
        return request;
    }

    /** What the store makes of the request instead. */
    default Step step(Resource before, Request request, long now, Step step) {
        return step;
    }

    /** What a client believes after an answer instead. */
    default Belief answered(Belief before, Answer answer, long sent, long offset, long now) {
        return before.answered(answer, sent, offset, now);
    }

    /** What a client believes once it has asked for another end instead. */
    default Belief fixing(Belief before, long lease, int change, long now) {
        return before.fixing(lease, change, now);
    }

    /** What a client believes after a push instead. */
    default Belief pushed(Belief before, Push push, long now) {
        return before.pushed(push, now);
    }
}
