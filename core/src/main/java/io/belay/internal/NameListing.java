package io.belay.internal;

import io.belay.internal.claim.Engine;
import io.belay.spi.Store.NamePage;
import io.belay.support.NameRules;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The names in a store, read page by page as they are asked for; each is told once. */
final class NameListing {
    private NameListing() {}

    /** Returns the names that begin like that, each without its first {@code shown} characters. */
    static Stream<String> of(Engine engine, String prefix, int shown) {
        Set<String> seen = new HashSet<>();
        // A store is not trusted blindly: a name that nobody could ask for would be of no use.
        Predicate<String> isTold =
                name -> name.startsWith(prefix) && name.length() > shown && NameRules.isVisible(name) && seen.add(name);
        Optional<NamePage> start = Optional.of(NamePage.of(List.of(), Optional.of(""))); // so that nothing is read yet
        return Stream.iterate(
                        start,
                        Optional::isPresent,
                        page -> page.flatMap(NamePage::next).map(from -> page(engine, prefix, from, isTold)))
                .flatMap(page -> page.orElseThrow().names().stream())
                .map(name -> name.substring(shown));
    }

    /** Reads what a page has to tell; one thread does so at a time, even if the stream is made a parallel one. */
    private static NamePage page(Engine engine, String prefix, String from, Predicate<String> isTold) {
        NamePage read = engine.awaitTwice(() -> engine.names(prefix, from), "Listing the names");
        return NamePage.of(read.names().stream().filter(isTold).toList(), read.next());
    }
}
