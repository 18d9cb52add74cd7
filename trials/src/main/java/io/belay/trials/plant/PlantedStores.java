package io.belay.trials.plant;

import io.belay.spi.ClaimId;
import io.belay.spi.Push;
import io.belay.spi.Store;
import io.belay.spi.StoreOpener;
import io.belay.spi.StoreProvider;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens stores with bugs. */
public final class PlantedStores {
    private PlantedStores() {}

    /** The store behind a URL, with this bug if it is one of a store; for locks of that lease. */
    public static StoreOpener opener(String url, Plant plant, Duration lease) {
        String scheme = url.substring(0, url.indexOf(':'));
        StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.schemes().contains(scheme))
                .findFirst()
                .orElseThrow();
        return (client, listener) -> switch (plant) {
            case STICKY_DEAF -> stickyDeaf(provider, url, client, listener);
            case PUSHES_DROPPED -> provider.open(url, client, deaf(listener));
            default -> planted(provider.open(url, client, listener), listener, plant, lease);
        };
    }

    /** Hears nothing but that the connection is there again. */
    private static Store.Listener deaf(Store.Listener listener) {
        return new Store.Listener() {
            @Override
            public void pushed(Push push) {
                // It is dropped.
            }

            @Override
            public void reconnected() {
                listener.reconnected();
            }
        };
    }

    private static Store stickyDeaf(StoreProvider provider, String url, long client, Store.Listener listener) {
        Set<ClaimId> sticky = ConcurrentHashMap.newKeySet();
        return new StickyDeafStore(provider.open(url, client, StickyDeafStore.listener(listener, sticky)), sticky);
    }

    private static Store planted(Store store, Store.Listener listener, Plant plant, Duration lease) {
        return switch (plant) {
            case GIVES_UP -> new GivesUpStore(store, lease);
            case LEAVE_FORGOTTEN -> new LeaveForgottenStore(store);
            case LEAVE_UNCLEAR -> new LeaveUnclearStore(store);
            case LATE_COPY -> new LateCopyStore(store, lease);
            case NEW_MASTER -> new NewMasterStore(store);
            case ORPHAN -> new OrphanStore(store);
            case KEPT_FOR_EVER -> new KeptForEverStore(store);
            case STALE_PUSH -> new StalePushStore(store, listener);
            default -> store;
        };
    }
}
