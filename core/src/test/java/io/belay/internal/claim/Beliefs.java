package io.belay.internal.claim;

import org.jspecify.annotations.Nullable;

/** Makes beliefs that the engine would not have, for tests. */
final class Beliefs {
    private Beliefs() {}

    /** A belief like another one, but for what is named here. */
    static Belief like(
            Belief b, Belief.Phase phase, long since, Belief.@Nullable Anchor anchor, long until, boolean wanted) {
        return new Belief(
                b.id(),
                b.spec(),
                phase,
                b.sequence(),
                since,
                b.enters(),
                anchor,
                until,
                b.askAt(),
                b.confirmed(),
                wanted,
                phase == b.phase() ? b.hint() : null,
                b.reason(),
                b.changes());
    }

    /** A belief like another one, but for how many changes it knows of. */
    static Belief changed(Belief b, int changes) {
        return new Belief(
                b.id(),
                b.spec(),
                b.phase(),
                b.sequence(),
                b.since(),
                b.enters(),
                b.anchor(),
                b.until(),
                b.askAt(),
                b.confirmed(),
                b.wanted(),
                b.hint(),
                b.reason(),
                changes);
    }
}
