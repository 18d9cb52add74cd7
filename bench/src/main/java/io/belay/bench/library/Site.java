package io.belay.bench.library;

import java.net.URI;
import java.nio.file.Path;

/**
 * The place where a library finds its store.
 *
 * @param server its server, as Belay is told: {@code redis://HOST:PORT}, {@code jdbc:mariadb://HOST:PORT/...}
 * @param directory for files that its processes share
 */
public record Site(URI server, Path directory) {
    /** Returns the server's {@code HOST:PORT}. */
    String address() {
        return server.getAuthority();
    }
}
