package io.belay.spring.boot;

import io.belay.Belay;

/**
 * The client that was connected here, of which the application's bean may be a view.
 *
 * @param client the client itself
 */
record ConnectedClient(Belay client) implements AutoCloseable {
    @Override
    public void close() {
        client.close();
    }
}
