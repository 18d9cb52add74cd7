package io.belay.internal.machine;

import io.belay.LockMode;
import io.belay.spi.Claim;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Resource;
import org.jspecify.annotations.Nullable;

/** The wants that all callers of one {@link Machine} share; immutable. */
public final class Terms {
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

    /** The lock's full name. */
    public final String name;

    /** The terms on which a claim enters that waits its turn. */
    public final ClaimSpec spec;

    /** The time slice, in nanoseconds; {@link #STORES_SLICE} for the one that the store proposes. */
    final long slice;

    /** Whether a thread that runs may come before one that is being woken up. */
    final boolean barging;

    /**
     * The time for which the claim is kept after its last use, in nanoseconds; 0 if it is not, as of those who share theirs or have
     * one for each acquisition.
     */
    public final long idle;

    public final Use use;

    // What follows from these, and is asked often.

    /** Whether holders stand side by side. */
    final boolean isShared;

    /** Whether the lease is not renewed. */
    final boolean isFixed;
    /** The least that must be left of a lease by which the lock is handed out, in nanoseconds. */
    final long shortestHold;

    /** How many tokens there are in what a claim is granted at a time. */
    final int tokens;

    /** Makes terms by which claims enter with that spec; what is to be sticky follows from the rest. */
    public Terms(String name, ClaimSpec spec, long slice, boolean barging, long idle, Use use) {
        this.name = name;
        this.slice = slice;
        this.barging = barging;
        this.idle = idle;
        this.use = use;
        isShared = spec.weight() < spec.capacity() && use != Use.ONE;
        long fixedLease = spec.fixedLease();
        isFixed = fixedLease > 0;
        long least = isFixed ? Math.min(fixedLease, spec.lease()) : spec.lease();
        tokens = idle > 0 ? Claim.TOKENS * Claim.STICKY_SEQUENCES : Claim.TOKENS;
        shortestHold = Math.min(least, Resource.PICK_UP) * 1000 / 20;
        boolean isSticky = idle > 0 || use == Use.OBSERVER;
        this.spec = spec.sticky() == isSticky ? spec : spec.withSticky(isSticky);
    }

    /** Returns the terms of a lease that is renewed, in microseconds, without anything else. */
    public static Terms of(String name, int capacity, int weight, long lease, Use use) {
        return new Terms(name, ClaimSpec.of(capacity, weight, lease), STORES_SLICE, false, 0, use);
    }

    /** Returns the same terms for another lock. */
    public Terms named(String other) {
        return new Terms(other, spec, slice, barging, idle, use);
    }

    /** Returns the terms for a machine that serves one acquisition and keeps nothing. */
    public Terms apart() {
        return new Terms(name, spec, slice, barging, 0, Use.ONE);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Terms terms
                && name.equals(terms.name)
                && spec.equals(terms.spec)
                && slice == terms.slice
                && barging == terms.barging
                && idle == terms.idle
                && use == terms.use;
    }

    /** A hash that is the same in each run, which an enum's is not: clients end their gates in its order. */
    @Override
    public int hashCode() {
        return 31 * (31 * name.hashCode() + (isShared ? 1 : 0)) + use.ordinal();
    }

    /** Returns how a claim of that weight has, or wants, a resource of that capacity. */
    public static LockMode mode(int capacity, int weight) {
        LockMode whole = weight == Resource.WHOLE ? LockMode.EXCLUSIVE : LockMode.SHARED;
        return capacity < Resource.WHOLE ? LockMode.PERMITS : whole;
    }
}
