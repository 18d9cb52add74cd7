package io.belay.bench.store;

/**
 * What a server tells of itself.
 *
 * @param cpuSeconds the processor time it has used
 * @param megabytes the memory it uses
 * @param keys how many keys it has
 */
public record ServerFigures(double cpuSeconds, double megabytes, long keys) {}
