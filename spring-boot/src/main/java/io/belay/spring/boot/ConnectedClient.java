package io.belay.spring.boot;

import io.belay.Belay;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** The client that was connected here, of which the application's bean may be a view. */
record ConnectedClient(Belay client) implements AutoCloseable {
    /** Returns the view of a namespace, or the client itself for none. */
    Belay view(@Nullable String namespace) {
        return namespace == null ? client : client.namespace(namespace);
    }

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
