package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.spi.StoreOpener;
import java.util.Objects;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The store of an application's locks. A bean of this type, such as one of the tests or of a container, comes before all
 * properties.
 */
@FunctionalInterface
public interface BelayConnectionDetails extends ConnectionDetails {
    /** Connects a client to the store. Blocks as {@link Belay#connect(String, BelayOptions)} does. */
    Belay connect(BelayOptions options);

    /** Returns the details of a store by its URL. */
    static BelayConnectionDetails of(String url) {
        Objects.requireNonNull(url, "url");
        return new GivenStore(options -> Belay.connect(url, options), url);
    }

    /** Returns the details of a store that was set up by its module's own options. */
    static BelayConnectionDetails of(StoreOpener store) {
        Objects.requireNonNull(store, "store");
        return new GivenStore(options -> Belay.connect(store, options), store);
    }
}
