package io.belay.spring.boot;

import io.belay.Belay;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The client that was connected here, of which the application's bean may be a view.
 *
 * @param client the client itself
 */
record ConnectedClient(Belay client) implements AutoCloseable {
    /** Returns the client itself, which knows all names in full, and not its view; the bean where the application has made that. */
    static Belay behind(Belay bean, ObjectProvider<ConnectedClient> connected) {
        ConnectedClient here = connected.getIfAvailable();
        return here == null ? bean : here.client;
    }

    @Override
    public void close() {
        client.close();
    }
}
