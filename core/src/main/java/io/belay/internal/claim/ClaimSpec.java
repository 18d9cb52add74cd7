package io.belay.internal.claim;

/**
 * The terms on which a {@link LiveClaim} enters; leases in microseconds.
 *
 * @param capacity the capacity of the resource
 * @param weight how much of the capacity the claim takes
 * @param lease the lease that is renewed
 * @param hold the fixed lease, or 0
 * @param ifFree whether to enter only if granted at once
 * @param sticky whether the owner keeps the claim until somebody else wants the resource
 */
public record ClaimSpec(int capacity, int weight, long lease, long hold, boolean ifFree, boolean sticky) {}
