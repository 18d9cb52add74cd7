package io.belay.simulation;

import io.belay.spi.ClaimId;
import io.belay.spi.Resource;
import java.util.Set;

/** Somebody who wants something, until there is an outcome. */
final class Attempt {
    final Site site;
    final Thing thing;
    final int variant;
    final String what;
    final Actor actor;
    final boolean whole;
    final long began;
    /** When it began to wait in a queue, or the greatest number. */
    long queued = Long.MAX_VALUE;
    /** Whether its wait is no slow one, however long it is: it stands by as the next leader, or waits at a latch. */
    boolean patient;

    /** How long it is to wait at most, in nanoseconds; negative for no limit. */
    long limit = -1;

    /** How much of it is wanted: all, as far as nobody says less. */
    int weight;

    /** Whether all who want it so, of whichever client, are served as they came. */
    boolean strict;

    /** It is one of several that are made one after the other. */
    boolean several;

    /** The claims of its client that were there when it began. */
    Set<ClaimId> found = Set.of();

    /** Its client had what it wants, and had not heard yet that its user was giving that back. */
    boolean metOwn;

    boolean done;

    /** When there was an outcome, if there is one. */
    long ended;

    Attempt(Site site, Thing thing, int variant, String what, boolean whole, Actor actor, long began) {
        this.site = site;
        this.thing = thing;
        this.variant = variant;
        this.what = what;
        this.whole = whole;
        this.actor = actor;
        this.began = began;
        weight = thing.kind == Thing.Kind.READ_WRITE && !whole ? 1 : Resource.WHOLE;
        strict = thing.kind == Thing.Kind.SEMAPHORE
                || thing.variants.get(variant).strictOrder();
    }

    Attempt within(long nanos) {
        limit = nanos;
        return this;
    }

    /** Whether it does not wait for others. */
    boolean isTry() {
        return what.endsWith("try");
    }

    /** Whether its user hears of the outcome by a future. */
    boolean isAsynchronous() {
        return what.startsWith("asynchronous");
    }

    /** Whether it is a wait that ends once its client lets nobody in. */
    boolean waits() {
        boolean asks = what.contains("further") || what.contains("inside") || what.contains("several");
        return thing.kind != Thing.Kind.OTHER && !asks && (what.contains("wait") || what.startsWith("candidacy"));
    }

    /** Whether it waits for as long as it takes. */
    boolean isEndless() {
        return waits() && limit < 0;
    }

    /** Whether whoever has or wants any of it may be in the way; else whoever has or wants all of it is. */
    boolean mindsAny() {
        return whole || thing.kind == Thing.Kind.SEMAPHORE;
    }

    /** Whether an interrupt ends it. */
    boolean isInterruptible() {
        return waits() && !isAsynchronous() && !isTry() && !what.endsWith("view's wait");
    }

    @Override
    public String toString() {
        return actor + "'s " + what + " on " + thing;
    }
}
