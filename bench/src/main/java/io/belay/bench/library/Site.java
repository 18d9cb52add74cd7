package io.belay.bench.library;

import java.net.URI;
import java.nio.file.Path;

/**
 * Where a library finds its store.
 *
 * @param redis the server, {@code redis://HOST:PORT}
 * @param directory for files that its processes share
 */
public record Site(URI redis, Path directory) {}
