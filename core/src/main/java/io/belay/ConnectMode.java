package io.belay;

/**
 * The ways to connect: whether {@link Belay#connect(String, BelayOptions)} needs the store to answer. A URL that no store on
 * the class path understands is refused in each of them.
 *
 * <p>A client that is not connected yet behaves as in an outage: who acquires waits as long as it said, and then gets a
 * {@link StoreUnavailableException}, or at once a {@link StoreMisconfiguredException} with what the store refused; nobody gets a
 * lock. {@link BelayAdmin#health()} tells why, and the client tries again every second, until it is closed.
 */
public enum ConnectMode {
    /** Blocks until the store answered, and fails if it does not. */
    REQUIRED,
    /**
     * Blocks until the store answered or could not be reached. One that refuses, say for a wrong password, is a failure; one
     * that is away is connected to later.
     */
    IF_REACHABLE,
    /** Returns at once, and connects by a thread of the client's own. */
    LATER
}
