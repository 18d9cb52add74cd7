package io.belay.spi;

import java.util.Objects;
import java.util.Optional;

/** The record behind what was seen of a resource; only this package makes one. */
record SnapshotValue(long time, Optional<Resource> resource) implements Store.Snapshot {
    SnapshotValue {
        Objects.requireNonNull(resource, "resource");
    }
}
