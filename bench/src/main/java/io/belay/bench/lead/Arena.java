package io.belay.bench.lead;

import io.belay.bench.store.StoreServer;
import java.nio.file.Path;

/**
 * The place where the workers of a case run.
 *
 * @param server the server that all libraries use, one after the other
 * @param directory for files that processes share
 * @param java the home of the Java that workers run on
 * @param scale from 0 to 1: how much of a large number to do
 */
public record Arena(StoreServer server, Path directory, Path java, double scale) {}
