package io.belay.bench.store;

import java.io.IOException;

/** A server that all libraries use, one after the other. */
public interface StoreServer extends AutoCloseable {
    /** The version that it says it is. */
    String version() throws IOException;

    /** Where it is now, as Belay is told: {@code redis://HOST:PORT}, {@code jdbc:postgresql://HOST:PORT/...}. */
    String url();

    /** Makes it forget everything. It may be at another address then. */
    void clear() throws IOException, InterruptedException;

    @Override
    void close();
}
