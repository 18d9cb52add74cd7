package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.jdbc.Jdbc;
import io.belay.support.UrlVariables;

/**
 * A store that is given by its URL, or by its module's own options.
 *
 * @param details how to connect to it
 * @param store the URL, which may hold a password, or the options
 */
record GivenStore(BelayConnectionDetails details, Object store) implements BelayConnectionDetails {
    /** Returns whether it is a database, to be asked where the module for databases is on the class path. */
    boolean isDatabase() {
        return store instanceof String url ? SameDatabase.mayBe(UrlVariables.expand(url)) : store instanceof Jdbc;
    }

    @Override
    public Belay connect(BelayOptions options) {
        return details.connect(options);
    }

    /** Returns a text without the URL. */
    @Override
    public String toString() {
        return "GivenStore";
    }
}
