package io.belay.internal.machine;

/**
 * A request of a {@link Stay} that was sent.
 *
 * @param number counts the stay's requests
 * @param at the instant before it was sent
 * @param wallOffset wall clock minus nanoTime then, in milliseconds
 * @param leave whether it was a leave, or asked to keep for a while what was left
 * @param reweight whether it was a change of weight
 */
public record Sent(int number, long at, long wallOffset, boolean leave, boolean reweight) {}
