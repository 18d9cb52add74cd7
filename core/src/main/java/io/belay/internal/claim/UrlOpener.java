package io.belay.internal.claim;

import io.belay.spi.Store;
import io.belay.spi.StoreOpener;
import io.belay.spi.StoreProvider;

/** The opener of the store behind a URL. It has a name of its own for the log, as the URL may hold a password. */
public record UrlOpener(StoreProvider provider, String url, String name) implements StoreOpener {
    @Override
    public Store open(long client, Store.Listener listener) {
        return provider.open(url, client, listener);
    }

    @Override
    public String toString() {
        return name;
    }
}
