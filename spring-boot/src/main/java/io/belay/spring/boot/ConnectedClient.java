package io.belay.spring.boot;

import io.belay.Belay;
import java.time.Duration;

/**
 * The client that was connected here, of which the application's bean may be a view.
 *
 * @param client the client itself
 */
record ConnectedClient(Belay client) implements AutoCloseable {
    /** Lets nobody new in, and waits until the holders have given their locks back. */
    void drain(Duration longest) {
        client.close(longest);
    }

    @Override
    public void close() {
        client.close();
    }
}
