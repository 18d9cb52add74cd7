package io.belay.spi;

/**
 * The capabilities of a store. The engine asks for them, and nothing degrades silently; users ask a client for them. A store
 * says each by itself, so that it has none of those that were added after it was written.
 */
public sealed interface Capabilities permits CapabilitiesValue {
    /** Makes those of a store that can do nothing of this. */
    static Capabilities none() {
        return new CapabilitiesValue(false, false, false, false, false);
    }

    /** Returns whether grants are pushed; without it waiters poll. */
    boolean push();

    /**
     * Returns whether each claim may have a lease of its own length: whether there are fixed leases, and locks that
     * stay taken after their release.
     */
    boolean leasePerClaim();

    /** Returns whether tokens go on rising when the store's process ends and starts again. */
    boolean durableTokens();

    /**
     * Returns whether each claim ends by itself when it is not renewed; without it a claim lasts as long as its
     * client does anything, until it is left.
     */
    boolean expiry();

    /**
     * Returns whether several claims may be granted at a time: whether there are read-write locks, semaphores and
     * latches.
     */
    boolean sharing();

    /** Returns the same capabilities, with {@link #push()} as given. */
    default Capabilities withPush(boolean can) {
        return new CapabilitiesValue(can, leasePerClaim(), durableTokens(), expiry(), sharing());
    }

    /** Returns the same capabilities, with {@link #leasePerClaim()} as given. */
    default Capabilities withLeasePerClaim(boolean can) {
        return new CapabilitiesValue(push(), can, durableTokens(), expiry(), sharing());
    }

    /** Returns the same capabilities, with {@link #durableTokens()} as given. */
    default Capabilities withDurableTokens(boolean can) {
        return new CapabilitiesValue(push(), leasePerClaim(), can, expiry(), sharing());
    }

    /** Returns the same capabilities, with {@link #expiry()} as given. */
    default Capabilities withExpiry(boolean can) {
        return new CapabilitiesValue(push(), leasePerClaim(), durableTokens(), can, sharing());
    }

    /** Returns the same capabilities, with {@link #sharing()} as given. */
    default Capabilities withSharing(boolean can) {
        return new CapabilitiesValue(push(), leasePerClaim(), durableTokens(), expiry(), can);
    }
}
