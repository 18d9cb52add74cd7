package io.belay.tck;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.List;

/** A line to a store of which tests know the connections. Clients that are connected by {@link StoreSpec#url()} do not use it. */
public interface Line {
    /** Returns the URL at which clients reach the store over this line. */
    String url();

    /**
     * Connects a client over this line.
     *
     * @param options with which the client is to work
     */
    default Belay connect(BelayOptions options) {
        return Belay.connect(url(), options);
    }

    /**
     * Connects over this line without a client, as {@link StoreSpec#open} does.
     *
     * @param client the number of the client that the requests are of
     * @param listener who is told of pushes
     */
    default Store open(long client, Store.Listener listener) {
        StoreSpec behind = this::url;
        return behind.open(client, listener);
    }

    /** The request timeout of a client that uses this line: longer than it takes to connect anew. */
    default Duration requestTimeout() {
        return Duration.ofMillis(400);
    }

    /** Returns the ways in which connections of this line can become half-open; none if it cannot do so. */
    default List<HalfOpening> halfOpenings() {
        return List.of();
    }

    /** How long it takes at most until a client works again whose connections are {@linkplain #halfOpenings half-open}. */
    default Duration worksAgainWithin() {
        return requestTimeout().multipliedBy(2).plusSeconds(2);
    }
}
