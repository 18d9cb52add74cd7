package io.belay.internal.machine;

import io.belay.spi.Answer;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Resource;
import io.belay.spi.Step;
import org.jspecify.annotations.Nullable;

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

    /** Changes what is believed before an answer is heard; returns what was sent instead. */
    default Sent beforeAnswer(Stay stay, Answer answer, Sent sent, long now) {
        return sent;
    }

    /** Changes what is believed before a push is heard. */
    default void beforePush(Stay stay, Push push, long now) {}

    /** What is believed once another end is asked for instead. */
    default @Nullable Known believed(@Nullable Known before, @Nullable Known after) {
        return after;
    }

    /** What an answer means instead. */
    default News answered(Stay stay, Answer answer, Sent sent, long now) {
        return stay.answered(answer, beforeAnswer(stay, answer, sent, now), now);
    }

    /** What is believed once another end is asked for instead. */
    default void believeFix(Stay stay, long now) {
        Known before = stay.known;
        stay.believeFix(now);
        stay.known = believed(before, stay.known);
    }

    /** What a push means instead. */
    default News pushed(Stay stay, Push push, long now) {
        beforePush(stay, push, now);
        return stay.pushed(push, now);
    }

    /** Returns whether a machine's request is sent. */
    default boolean sends(Stay stay, Request request) {
        return true;
    }

    /** Returns whether a push is heard. */
    default boolean hears(Stay stay, Push push) {
        return true;
    }

    /** Returns whether a caller is told how its wait ended. */
    default boolean tellsEnd(Caller caller) {
        return true;
    }

    /** Returns whether a caller is told that it lost the lock. */
    default boolean tellsLoss() {
        return true;
    }

    /** Returns whether anybody reads the wall clock beside the one that a suspension stops. */
    default boolean readsWallClock() {
        return true;
    }

    /** Returns whether anybody looks at the ends of leases. */
    default boolean looksAtEnds() {
        return true;
    }

    /** Changes a machine after its step. */
    default void afterStep(Machine machine) {}
}
