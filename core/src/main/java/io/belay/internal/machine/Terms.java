package io.belay.internal.machine;

import io.belay.LockMode;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Resource;

/**
 * The wants that all callers of one {@link Machine} share.
 *
 * @param name the lock's full name
 * @param spec the terms on which a claim enters that waits its turn; what is to be sticky follows from the rest
 * @param slice the time slice, in nanoseconds; {@link #STORES_SLICE} for the one that the store proposes
 * @param barging whether a thread that runs may come before one that is being woken up
 * @param idle the time for which the claim is kept after its last use, in nanoseconds; 0 if it is not
 * @param use who the callers are
 */
public record Terms(String name, ClaimSpec spec, long slice, boolean barging, long idle, Use use) {
    /** The slice of those who do not say any: a client that connects later does not know yet what its store proposes. */
    public static final long STORES_SLICE = -1;

    /** Who the callers of a machine are. */
    public enum Use {
        /** All of the client's that want the lock alike. */
        ALL,
        /** The same, and they are let in while the client drains, as those who hold something else end their work by it. */
        ENDING,
        /** One, for one acquisition. */
        ONE,
        /** None: the claim is there to be told that others want what it holds. */
        OBSERVER
    }

    public Terms {
        boolean sticky = idle > 0 || use == Use.OBSERVER;
        spec = spec.sticky() == sticky ? spec : spec.withSticky(sticky);
    }

    /** Returns the terms of a lease that is renewed, in microseconds, without anything else. */
    public static Terms of(String name, int capacity, int weight, long lease, Use use) {
        return new Terms(name, ClaimSpec.of(capacity, weight, lease), STORES_SLICE, false, 0, use);
    }

    /** Returns the terms for a machine that serves one acquisition and keeps nothing. */
    public Terms apart() {
        return new Terms(name, spec, slice, barging, 0, Use.ONE);
    }

    /** Returns whether holders stand side by side. */
    boolean isShared() {
        return spec.weight() < spec.capacity() && use != Use.ONE;
    }

    boolean isSticky() {
        return spec.sticky();
    }

    /** Returns whether the lease is not renewed. */
    boolean isFixed() {
        return spec.fixedLease() > 0;
    }

    /** Returns the least that must be left of a lease by which the lock is handed out, in nanoseconds. */
    long shortestHold() {
        long least = isFixed() ? Math.min(spec.fixedLease(), spec.lease()) : spec.lease();
        return Math.min(least, Resource.PICK_UP) * 1000 / 20;
    }

    /** A hash that is the same in each run, which an enum's is not: clients end their gates in its order. */
    @Override
    public int hashCode() {
        return 31 * (31 * name.hashCode() + (isShared() ? 1 : 0)) + use.ordinal();
    }

    /** Returns how a claim of that weight has, or wants, a resource of that capacity. */
    public static LockMode mode(int capacity, int weight) {
        LockMode whole = weight == Resource.WHOLE ? LockMode.EXCLUSIVE : LockMode.SHARED;
        return capacity < Resource.WHOLE ? LockMode.PERMITS : whole;
    }
}
