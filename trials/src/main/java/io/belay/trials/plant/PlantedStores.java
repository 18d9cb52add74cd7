package io.belay.trials.plant;

import io.belay.spi.Store;
import io.belay.spi.StoreOpener;
import io.belay.spi.StoreProvider;
import java.util.ServiceLoader;

/** Opens stores with bugs. */
public final class PlantedStores {
    private PlantedStores() {}

    /** The store behind a URL, with this bug if it is one of a store. */
    public static StoreOpener opener(String url, Plant plant) {
        String scheme = url.substring(0, url.indexOf(':'));
        StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.schemes().contains(scheme))
                .findFirst()
                .orElseThrow();
        return (client, listener) -> planted(provider.open(url, client, listener), listener, plant);
    }

    private static Store planted(Store store, Store.Listener listener, Plant plant) {
        return switch (plant) {
            case ORPHAN -> new OrphanStore(store);
            case KEPT_FOR_EVER -> new KeptForEverStore(store);
            case STALE_PUSH -> new StalePushStore(store, listener);
            default -> store;
        };
    }
}
