package io.belay.internal;

import io.belay.internal.claim.Engine;
import io.belay.spi.Finding;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/** The operations on a store's URL besides to connect. */
public final class Examinations {
    private Examinations() {}

    /** Examines the store behind a URL; see {@link io.belay.BelayAdmin#examine(String)}. */
    public static List<Finding> of(String url) {
        return with(
                url,
                (provider, expanded) -> provider.examine(expanded).stream()
                        .sorted(Comparator.comparing(Finding::severity))
                        .toList());
    }

    /** Returns what has to be made in the store; see {@link io.belay.BelayAdmin#schema(String)}. */
    public static Optional<String> schema(String url) {
        return with(url, StoreProvider::schema);
    }

    /** Makes in the store what its schema says; see {@link io.belay.BelayAdmin#prepare(String)}. */
    public static void prepare(String url) {
        with(url, (provider, expanded) -> {
            provider.prepare(expanded);
            return url;
        });
    }

    private static <T> T with(String url, BiFunction<StoreProvider, String, T> question) {
        Objects.requireNonNull(url, "url");
        String expanded = Stores.expand(url);
        try {
            return question.apply(Stores.provider(expanded), expanded);
        } catch (StoreException e) {
            throw Engine.failure("", e);
        }
    }
}
