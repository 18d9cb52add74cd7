package io.belay.spi;

import java.util.List;

/** The outcome of one operation of the reference model. */
public sealed interface Step permits StepValue {
    /** Makes a step; what the parts are, the methods below say. */
    static Step of(Resource next, Answer answer, List<Claim> granted, List<Claim> wanted, List<Claim> ended) {
        return new StepValue(next, answer, granted, wanted, ended);
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

    /** Returns what is to be pushed to the owners of claims. */
    List<Push> pushes(String resource);
}
