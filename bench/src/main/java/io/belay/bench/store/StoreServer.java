package io.belay.bench.store;

import java.io.IOException;

/** A server that all libraries use, one after the other. */
public interface StoreServer extends AutoCloseable {
    /** Returns the version that the server says it is. */
    String version() throws IOException;

    /** Returns the server's present URL, as Belay takes it: {@code redis://HOST:PORT}, {@code jdbc:mariadb://...}. */
    String url();

    /** Makes the server forget everything. It may be at another address then. */
    void clear() throws IOException, InterruptedException;

    @Override
    void close();
}
