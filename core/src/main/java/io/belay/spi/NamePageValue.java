package io.belay.spi;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The record behind a page of names; only this package makes one. */
record NamePageValue(List<String> names, Optional<String> next) implements Store.NamePage {
    NamePageValue {
        names = List.copyOf(Objects.requireNonNull(names, "names"));
        Objects.requireNonNull(next, "next");
    }
}
