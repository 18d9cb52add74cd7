package io.belay.internal;

import io.belay.Finding;
import io.belay.Finding.Severity;
import io.belay.spi.StoreException;
import java.util.Comparator;
import java.util.List;

/** Turns what a store found about itself into what users see. */
public final class Examinations {
    private Examinations() {}

    /** What {@link io.belay.Belay#examine(String)} does. */
    public static List<Finding> of(String url) {
        String expanded = Stores.expand(url);
        try {
            return Stores.provider(expanded).examine(expanded).stream()
                    .map(Examinations::show)
                    .sorted(Comparator.comparing(Finding::severity))
                    .toList();
        } catch (StoreException e) {
            throw Engine.failure("", e);
        }
    }

    private static Finding show(io.belay.spi.Finding found) {
        return new Finding(Severity.valueOf(found.severity().name()), found.subject(), found.finding(), found.cure());
    }
}
