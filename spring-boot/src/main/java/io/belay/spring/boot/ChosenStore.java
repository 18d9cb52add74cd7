package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import org.jspecify.annotations.Nullable;

/**
 * The store that was chosen for the application's locks, when it started: one that it has already, or one by its URL.
 *
 * @param details how to connect to it
 * @param own which of the application's own it is; null if it is by its URL
 * @param url the URL, which may hold a password; null if it is one of the application's own
 */
record ChosenStore(
        BelayConnectionDetails details,
        BelayProperties.@Nullable Store own,
        @Nullable String url) implements BelayConnectionDetails {
    static ChosenStore of(String url) {
        return new ChosenStore(BelayConnectionDetails.of(url), null, url);
    }

    static ChosenStore of(OwnStore own) {
        try {
            return new ChosenStore(BelayConnectionDetails.of(own.opener().get()), own.kind(), null);
        } catch (BelayException e) { // such as of a URL that Belay cannot take
            throw SetupException.of(e);
        }
    }

    @Override
    public Belay connect(BelayOptions options) {
        return details.connect(options);
    }

    /** Returns a text without the URL. */
    @Override
    public String toString() {
        return "ChosenStore[" + (own == null ? "by its URL" : own) + "]";
    }
}
