package io.belay.spi;

/**
 * A message that tells the owner of a claim what another client's request, or the clock, did to the claim: that it is
 * granted, or was ended. The owner of a sticky claim is told once more that it is granted when somebody else wants
 * the resource. A push may be late, doubled or lost; nothing may rest on its arrival.
 */
public sealed interface Push permits PushValue {
    /** Returns the resource's name. */
    String resource();

    /** Returns the claim. */
    ClaimId id();

    /** Returns the claim's sequence at that moment. */
    long sequence();

    /** Returns whether it is granted; else it was ended, by force or by the store's clock. */
    boolean granted();

    /** Returns whether somebody else wants the resource. */
    boolean wanted();

    /** Returns the store's time at that moment, in microseconds. */
    long time();

    /**
     * Returns until when the grant holds, in the store's microseconds; for an end by the clock when that was, and 0
     * for one by force.
     */
    long deadline();

    /** Returns which run of which server said so: see {@link Answer#server()}. */
    long server();

    /** Makes a push to the owner of a claim that is granted, or was ended: by the store's clock, or by force if the deadline is 0. */
    static Push of(String resource, ClaimId id, long sequence, boolean granted, long time, long deadline) {
        return new PushValue(resource, id, sequence, granted, false, time, deadline, 0);
    }

    /** Makes a push to the owner of a claim that is granted until a deadline. */
    static Push granted(String resource, ClaimId id, long sequence, long time, long deadline) {
        return of(resource, id, sequence, true, time, deadline);
    }

    /** Returns the same push, with whether somebody else wants the resource. */
    default Push withWanted(boolean isWanted) {
        return new PushValue(resource(), id(), sequence(), granted(), isWanted, time(), deadline(), server());
    }

    /** Returns the same push at another moment. */
    default Push withTime(long moment) {
        return new PushValue(resource(), id(), sequence(), granted(), wanted(), moment, deadline(), server());
    }

    /** Returns the same push, stamped with the run of the server that sent it. */
    default Push from(long run) {
        return new PushValue(resource(), id(), sequence(), granted(), wanted(), time(), deadline(), run);
    }
}
