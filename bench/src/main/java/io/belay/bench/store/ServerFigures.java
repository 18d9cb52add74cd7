package io.belay.bench.store;

/**
 * The figures that a server tells of itself.
 *
 * @param cpuSeconds the processor time that the server has used
 * @param megabytes the memory that the server uses
 * @param keys how many keys the server has
 */
public record ServerFigures(double cpuSeconds, double megabytes, long keys) {}
