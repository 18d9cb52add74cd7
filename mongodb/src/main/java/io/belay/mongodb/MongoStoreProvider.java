package io.belay.mongodb;

import com.mongodb.connection.ClusterType;
import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.List;
import java.util.Objects;
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

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        try (Connections source = Connections.of(MongoUrl.parse(url))) {
            ClusterType type = source.type();
            MongoDocuments.readConcern(type); // refuses what cannot be used
            return type == ClusterType.STANDALONE
                    ? List.of(new Finding(
                            Finding.Severity.WARNING,
                            "members",
                            "The server stands alone: its locks are gone with its disk, and clients look for changes instead of"
                                    + " being called.",
                            "Run it as a replica set, of three members where locks are to outlive one of them."))
                    : List.of();
        }
    }
}
