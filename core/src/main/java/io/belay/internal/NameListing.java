package io.belay.internal;

import io.belay.StoreUnavailableException;
import io.belay.internal.claim.Engine;
import io.belay.spi.Store;
import io.belay.support.NameRules;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The names in a store, read page by page as they are asked for; each is told once. Used by one thread at a time. */
final class NameListing extends Spliterators.AbstractSpliterator<String> {
    private final Engine engine;
    private final String prefix;
    private final int shown;
    private final SeenHashes seen = new SeenHashes();
    private Iterator<String> page = List.<String>of().iterator();
    private Optional<String> cursor = Optional.of("");

    private NameListing(Engine engine, String prefix, int shown) {
        super(Long.MAX_VALUE, Spliterator.DISTINCT | Spliterator.NONNULL);
        this.engine = engine;
        this.prefix = prefix;
        this.shown = shown;
    }

    /** Returns the names that begin like that, each without its first {@code shown} characters. */
    static Stream<String> of(Engine engine, String prefix, int shown) {
        return StreamSupport.stream(new NameListing(engine, prefix, shown), false);
    }

    @Override
    public boolean tryAdvance(Consumer<? super String> action) {
        while (true) {
            while (page.hasNext()) {
                String name = page.next();
                // A store is not trusted blindly: a name that nobody could ask for would be of no use.
                if (name.startsWith(prefix) && name.length() > shown && NameRules.isVisible(name) && seen.add(name)) {
                    action.accept(name.substring(shown));
                    return true;
                }
            }
            if (cursor.isEmpty()) {
                return false;
            }
            Store.NamePage next = next(cursor.get());
            page = next.names().iterator();
            cursor = next.next();
        }
    }

    /** Reads a page, and once more if that fails: a server may have been replaced meanwhile. */
    private Store.NamePage next(String from) {
        try {
            return engine.await(() -> engine.names(prefix, from), "Listing the names");
        } catch (StoreUnavailableException e) {
            return engine.await(() -> engine.names(prefix, from), "Listing the names");
        }
    }
}
