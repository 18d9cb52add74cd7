package io.belay.spring.boot;

import io.belay.Belay;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The client that was connected here, of which the application's bean may be a view.
 *
 * @param client the client itself
 * @param views its views by namespace
 */
record ConnectedClient(Belay client, Map<String, Belay> views) implements AutoCloseable {
    ConnectedClient(Belay client) {
        this(client, new ConcurrentHashMap<>());
    }

    /** Returns the view of a namespace: the same one for all contexts, as who holds a lock is told by it. */
    Belay view(@Nullable String namespace) {
        return namespace == null ? client : views.computeIfAbsent(namespace, client::namespace);
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
