package io.belay.spi;

import java.util.List;

/** The outcome of one operation of the reference model. */
public sealed interface Step permits StepValue {
    /** Makes a step after which nothing is to be pushed. */
    static Step of(Resource next, Answer answer) {
        return new StepValue(next, answer, List.of(), List.of(), List.of());
    }

    /** Returns the state of the resource afterwards; the same object when nothing changed. */
    Resource next();

    /** Returns what the caller is told. */
    Answer answer();

    /** Returns the claims that were granted although their owner was not asking: each is to be pushed. */
    List<Claim> granted();

    /** Returns the sticky claims that hold what the caller wants: each is to be pushed. */
    List<Claim> wanted();

    /** Returns the claims that were ended by force or no longer fit: each is to be pushed. */
    List<Claim> ended();

    /** Returns the same step, with those claims that were granted. */
    default Step withGranted(List<Claim> granted) {
        return new StepValue(next(), answer(), granted, wanted(), ended());
    }

    /** Returns the same step, with those claims that are wanted. */
    default Step withWanted(List<Claim> wanted) {
        return new StepValue(next(), answer(), granted(), wanted, ended());
    }

    /** Returns the same step, with those claims that were ended. */
    default Step withEnded(List<Claim> ended) {
        return new StepValue(next(), answer(), granted(), wanted(), ended);
    }

    /** Returns what is to be pushed to the owners of claims. */
    List<Push> pushes(String resource);
}
