package io.belay.spi;

import java.util.Objects;

/**
 * A message that tells the owner of a claim what another client's request, or the clock, did to the claim: that it is
 * granted, or was ended. The owner of a sticky claim is told once more that it is granted when somebody else wants
 * the resource. A push may be late, doubled or lost; nothing may rest on its arrival.
 *
 * @param resource the resource's name
 * @param id the claim
 * @param sequence the claim's sequence at that moment
 * @param granted true: it is granted; false: it was ended, by force or by the store's clock
 * @param wanted whether somebody else wants the resource
 * @param time the store's time at that moment, in microseconds
 * @param deadline until when the grant holds, in the store's microseconds; for an end by the clock when that was, and 0 for
 *     one by force
 * @param server which run of which server said so: see {@link Answer#server()}
 * @see #granted(String, ClaimId, long, long, long) the factories, which name what they set
 */
public record Push(
        String resource,
        ClaimId id,
        long sequence,
        boolean granted,
        boolean wanted,
        long time,
        long deadline,
        long server) {

    /**
     * Checks what every push must hold, since stores are not trusted blindly.
     *
     * @throws IllegalArgumentException if the values cannot be a push
     */
    public Push {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(id, "id");
        Answer.check("sequence", sequence);
        Answer.check("time", time);
        Answer.check("deadline", deadline);
    }

    /** Makes a push to the owner of a claim that is granted, or was ended by force. */
    public static Push of(String resource, ClaimId id, long sequence, boolean granted, long time, long deadline) {
        return new Push(resource, id, sequence, granted, false, time, deadline, 0);
    }

    /** Makes a push to the owner of a claim that is granted until a deadline. */
    public static Push granted(String resource, ClaimId id, long sequence, long time, long deadline) {
        return of(resource, id, sequence, true, time, deadline);
    }

    /** Makes a push to the owner of a claim that was ended by force. */
    public static Push ended(String resource, ClaimId id, long sequence, long time) {
        return of(resource, id, sequence, false, time, 0);
    }

    /** Makes a push to the owner of a claim whose lease ended by the store's clock, which may have been put ahead. */
    public static Push expired(String resource, ClaimId id, long sequence, long time, long deadline) {
        return of(resource, id, sequence, false, time, deadline);
    }

    /** Returns the same push, with whether somebody else wants the resource. */
    public Push withWanted(boolean isWanted) {
        return new Push(resource, id, sequence, granted, isWanted, time, deadline, server);
    }

    /** Returns the same push at another moment. */
    public Push withTime(long moment) {
        return new Push(resource, id, sequence, granted, wanted, moment, deadline, server);
    }

    /** Returns the same push, stamped with the run of the server that sent it. */
    public Push from(long run) {
        return new Push(resource, id, sequence, granted, wanted, time, deadline, run);
    }
}
