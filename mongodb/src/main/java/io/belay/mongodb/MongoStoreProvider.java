package io.belay.mongodb;

import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The provider of stores in MongoDB, for {@code mongodb://...} and {@code mongodb+srv://...}. */
public final class MongoStoreProvider implements StoreProvider {
    /** Makes the provider, for {@link java.util.ServiceLoader}. */
    public MongoStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("mongodb", "mongodb+srv");
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(listener, "listener");
        return Mongo.open(Connections.of(MongoUrl.parse(url)), client, listener);
    }

    /** Looks at the URL alone: nothing has to be made. */
    @Override
    public Optional<String> schema(String url) {
        Objects.requireNonNull(url, "url");
        MongoUrl.check(url);
        return Optional.empty();
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        try (Connections source = Connections.of(MongoUrl.parse(url))) {
            return Examination.of(source);
        }
    }
}
