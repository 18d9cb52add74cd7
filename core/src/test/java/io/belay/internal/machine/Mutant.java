package io.belay.internal.machine;

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

    /** What an answer means instead. */
    default Stay.News answered(Stay stay, Answer answer, Sent sent, long now) {
        return stay.answered(answer, sent, now);
    }

    /** What is believed once another end is asked for instead. */
    default void believeFix(Stay stay, long now) {
        stay.believeFix(now);
    }

    /** What a push means instead. */
    default Stay.News pushed(Stay stay, Push push, long now) {
        return stay.pushed(push, now);
    }
}
