package io.belay.bench.store;

import java.io.IOException;

/** A server that tells what it uses and how much it keeps, and that {@link #clear} leaves where it is. */
public interface MeasuredServer extends StoreServer {
    ServerFigures figures() throws IOException;

    /** Returns how many keys the server has. */
    long keys() throws IOException;
}
