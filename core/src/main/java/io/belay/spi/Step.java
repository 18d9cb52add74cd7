package io.belay.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The outcome of one operation of the reference model.
 *
 * @param next the state of the resource afterwards; the same object when nothing changed
 * @param answer what the caller is told
 * @param granted the claims that were granted although their owner was not asking: each is to be pushed
 * @param wanted the sticky claims that hold what the caller wants: each is to be pushed
 * @param ended the claims that were ended by force or no longer fit: each is to be pushed
 */
public record Step(Resource next, Answer answer, List<Claim> granted, List<Claim> wanted, List<Claim> ended) {
    public Step {
        Objects.requireNonNull(next, "next");
        Objects.requireNonNull(answer, "answer");
        Objects.requireNonNull(granted, "granted");
        Objects.requireNonNull(wanted, "wanted");
        Objects.requireNonNull(ended, "ended");
    }

    /** Returns what is to be pushed to the owners of claims. */
    public List<Push> pushes(String resource) {
        Objects.requireNonNull(resource, "resource");
        List<Push> pushes = new ArrayList<>(granted.size() + wanted.size() + ended.size());
        boolean othersWait = next.claims().size() > next.granted();
        granted.forEach(claim -> pushes.add(push(resource, claim, true, othersWait)));
        wanted.forEach(claim -> pushes.add(push(resource, claim, true, true)));
        ended.forEach(claim -> pushes.add(push(resource, claim, false, false)));
        return pushes;
    }

    private Push push(String resource, Claim claim, boolean held, boolean by) {
        long deadline = held ? claim.deadline() : 0;
        return Push.of(resource, claim.id(), claim.sequence(), held, answer.time(), deadline)
                .withWanted(by);
    }
}
