package io.belay.spi;

import java.util.ArrayList;
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

    @Override
    public List<Push> pushes(String resource) {
        Objects.requireNonNull(resource, "resource");
        List<Push> pushes = new ArrayList<>(granted.size() + wanted.size() + ended.size());
        boolean othersWait = next.claims.size() > next.granted;
        granted.forEach(claim -> pushes.add(PushValue.of(resource, claim, true, othersWait, answer.time())));
        wanted.forEach(claim -> pushes.add(PushValue.of(resource, claim, true, true, answer.time())));
        ended.forEach(claim -> pushes.add(PushValue.of(resource, claim, false, false, answer.time())));
        return pushes;
    }
}
