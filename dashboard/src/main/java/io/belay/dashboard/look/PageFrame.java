package io.belay.dashboard.look;

/**
 * What a page is to show, as JSON.
 *
 * @param number the number of the reading that it tells, which rises; each {@link Watch} counts for itself
 * @param json one line of text, in UTF-8; not to be changed
 */
public record PageFrame(long number, byte[] json) {}
