package io.belay.bench.lead;

import java.time.Duration;

/**
 * The time for which workers work before they are measured: until their compilers rest.
 *
 * @param least at least so long
 * @param longest but no longer than that
 */
public record WarmUp(Duration least, Duration longest) {}
