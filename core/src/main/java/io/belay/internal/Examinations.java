package io.belay.internal;

import io.belay.Finding;
import io.belay.Finding.Severity;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/** What is done with a store's URL besides to connect. */
public final class Examinations {
    private Examinations() {}

    /** What {@link io.belay.Belay#examine(String)} does. */
    public static List<Finding> of(String url) {
        return with(
                url,
                (provider, expanded) -> provider.examine(expanded).stream()
                        .map(Examinations::show)
                        .sorted(Comparator.comparing(Finding::severity))
                        .toList());
    }

    /** What {@link io.belay.Belay#schema(String)} does. */
    public static Optional<String> schema(String url) {
        return with(url, StoreProvider::schema);
    }

    /** What {@link io.belay.Belay#prepare(String)} does. */
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

    private static Finding show(io.belay.spi.Finding found) {
        return new Finding(Severity.valueOf(found.severity().name()), found.subject(), found.finding(), found.cure());
    }
}
