package io.belay.spi;

/**
 * The capabilities of a store. The engine asks for them, and nothing degrades silently; users ask a client for them.
 *
 * @param push whether grants are pushed; without it waiters poll
 * @param leasePerClaim whether each claim may have a lease of its own length: whether there are fixed leases, and locks that
 *     stay taken after their release
 * @param durableTokens whether tokens go on rising when the store's process ends and starts again
 * @param expiry whether each claim ends by itself when it is not renewed; without it a claim lasts as long as its client
 *     does anything, until it is left
 * @param sharing whether several claims may be granted at a time: whether there are read-write locks, semaphores and latches
 */
public record Capabilities(
        boolean push, boolean leasePerClaim, boolean durableTokens, boolean expiry, boolean sharing) {}
