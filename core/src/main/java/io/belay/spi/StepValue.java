package io.belay.spi;

import java.util.List;
import java.util.Objects;

/** The record behind a step; only this package makes one. */
record StepValue(Resource next, Answer answer, List<Claim> granted, List<Claim> wanted, List<Claim> ended)
        implements Step {
    StepValue {
        Objects.requireNonNull(next, "next");
        Objects.requireNonNull(answer, "answer");
        Objects.requireNonNull(granted, "granted");
        Objects.requireNonNull(wanted, "wanted");
        Objects.requireNonNull(ended, "ended");
    }
}
