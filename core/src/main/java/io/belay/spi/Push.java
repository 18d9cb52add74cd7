package io.belay.spi;

/**
 * Tells the owner of a claim what another client's request, or the clock, did to it. A push may be late, doubled or
 * lost; nothing may rest on its arrival.
 *
 * @param resource the resource's name
 * @param id the claim
 * @param sequence the claim's sequence at that moment
 * @param granted true: it was granted; false: it was ended by force
 * @param time the store's time at that moment, in microseconds
 * @param deadline until when the grant holds, in the store's microseconds; 0 for an end
 * @param server which run of which server said so: see {@link Answer#server()}
 */
public record Push(String resource, ClaimId id, long sequence, boolean granted, long time, long deadline, long server) {
    /**
     * Checks what every push must hold, since stores are not trusted blindly.
     *
     * @throws IllegalArgumentException if the values cannot be a push
     */
    public Push {
        Answer.check("sequence", sequence);
        Answer.check("time", time);
        Answer.check("deadline", deadline);
    }
}
