package io.belay.internal.primitive;

import io.belay.Lease;
import io.belay.internal.claim.Engine;
import io.belay.internal.gate.Hold;

/** The check of a lease that a user hands in. */
final class Holds {
    private Holds() {}

    /** Returns the hold that a lease of this client for that name is, and throws if it is another's. */
    static Hold own(Lease lease, String name, Engine engine) {
        if (lease instanceof Hold hold
                && hold.name().equals(name)
                && hold.gate().engine() == engine) {
            return hold;
        }
        throw new IllegalArgumentException(lease + " is no lease of this client's for the lock '" + name + "'");
    }
}
