package io.belay.mongodb;

import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.Set;

/** Opens {@code mongodb://...} and {@code mongodb+srv://...}. */
public final class MongoStoreProvider implements StoreProvider {
    /** For {@link java.util.ServiceLoader}. */
    public MongoStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("mongodb", "mongodb+srv");
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        return Mongo.open(Connections.of(MongoUrl.parse(url)), client, listener);
    }
}
