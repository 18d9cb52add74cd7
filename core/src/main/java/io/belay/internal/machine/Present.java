package io.belay.internal.machine;

/**
 * The one who has a claim's lock now.
 *
 * @param thread the name of the thread that acquired it
 * @param behalf on whose behalf; empty if nobody is named
 * @param since since when, by nanoTime
 * @param note what other clients are to know; empty if nothing
 */
public record Present(String thread, String behalf, long since, String note) {}
