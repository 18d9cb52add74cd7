package io.belay.internal.claim;

/**
 * A request of a {@link LiveClaim} that was sent.
 *
 * @param number counts the claim's requests
 * @param at the instant before the request was sent
 * @param offset wall clock minus nanoTime then, in milliseconds
 * @param leave whether it was a leave
 * @param reweight whether it was a change of weight
 */
record SentRequest(int number, long at, long offset, boolean leave, boolean reweight) {}
