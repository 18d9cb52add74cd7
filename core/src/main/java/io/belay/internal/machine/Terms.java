package io.belay.internal.machine;

import io.belay.LockMode;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Resource;

/**
 * What all callers of one {@link Machine} want alike.
 *
 * @param name the lock's full name
 * @param capacity the capacity of the resource
 * @param weight how much of it each holder takes
 * @param lease the lease that is renewed, in microseconds
 * @param fixedLease the lease that is not, in microseconds; 0 for one that is renewed
 * @param slice the time slice, in nanoseconds; {@link #STORES_SLICE} for the one that the store proposes
 * @param barging whether a thread that runs may come before one that is being woken up
 * @param idle for how long the claim is kept after its last use, in nanoseconds; 0 if it is not
 * @param use who the callers are
 */
public record Terms(
        String name,
        int capacity,
        int weight,
        long lease,
        long fixedLease,
        long slice,
        boolean barging,
        long idle,
        Use use) {
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

    /** Returns the terms of a lease that is renewed, without anything else. */
    public static Terms of(String name, int capacity, int weight, long lease, Use use) {
        return new Terms(name, capacity, weight, lease, 0, STORES_SLICE, false, 0, use);
    }

    public Terms withFixedLease(long fixed) {
        return new Terms(name, capacity, weight, lease, fixed, slice, barging, idle, use);
    }

    /** Returns the same with turns of that length, within which threads may come before others if {@code barges}. */
    public Terms withTurns(long length, boolean barges) {
        return new Terms(name, capacity, weight, lease, fixedLease, length, barges, idle, use);
    }

    public Terms withIdle(long kept) {
        return new Terms(name, capacity, weight, lease, fixedLease, slice, barging, kept, use);
    }

    /** A hash that is the same in each run, which an enum's is not: clients end their gates in its order. */
    @Override
    public int hashCode() {
        return 31 * (31 * name.hashCode() + weight) + use.ordinal();
    }

    /** Returns how a claim of that weight has, or wants, a resource of that capacity. */
    public static LockMode mode(int capacity, int weight) {
        if (capacity < Resource.WHOLE) {
            return LockMode.PERMITS;
        }
        return weight == Resource.WHOLE ? LockMode.EXCLUSIVE : LockMode.SHARED;
    }

    /** Returns whether holders stand side by side. */
    boolean isShared() {
        return weight < capacity && use != Use.ONE;
    }

    boolean isSticky() {
        return idle > 0 || use == Use.OBSERVER;
    }

    /** Returns the terms for a machine that serves one acquisition and keeps nothing. */
    public Terms apart() {
        return new Terms(name, capacity, weight, lease, fixedLease, slice, barging, 0, Use.ONE);
    }

    ClaimSpec spec(boolean ifFree) {
        return ClaimSpec.of(capacity, weight, lease)
                .withFixedLease(fixedLease)
                .withIfFree(ifFree)
                .withSticky(isSticky());
    }
}
