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
 * @param granted true: it is granted; false: it was ended by force
 * @param wanted whether somebody else wants the resource
 * @param time the store's time at that moment, in microseconds
 * @param deadline until when the grant holds, in the store's microseconds; 0 for an end
 * @param server which run of which server said so: see {@link Answer#server()}
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
}
