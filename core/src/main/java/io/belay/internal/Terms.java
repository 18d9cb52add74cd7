package io.belay.internal;

/**
 * What a {@link LiveClaim} asks for; leases in microseconds.
 *
 * @param capacity the capacity of the resource
 * @param weight how much of it
 * @param lease the lease that is renewed
 * @param hold the fixed lease, or 0
 * @param ifFree whether to enter only if granted at once
 * @param sticky whether its owner keeps it until somebody else wants the resource
 */
record Terms(int capacity, int weight, long lease, long hold, boolean ifFree, boolean sticky) {}
