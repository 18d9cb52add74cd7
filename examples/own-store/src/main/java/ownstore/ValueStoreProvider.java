package ownstore;

import io.belay.document.DocumentStore;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.Set;

/** Opens {@code values://HOST:PORT}; Java's ServiceLoader finds it by the file in META-INF/services. */
public final class ValueStoreProvider implements StoreProvider {
    @Override
    public Set<String> schemes() {
        return Set.of("values");
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        return new DocumentStore("values", new ValueDocuments(url), client, listener);
    }
}
