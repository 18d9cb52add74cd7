package io.belay.spi;

import java.util.Objects;

/** The record behind a tombstone; only this package makes one. */
record TombstoneValue(ClaimId id, long until) implements Resource.Tombstone {
    TombstoneValue {
        Objects.requireNonNull(id, "id");
    }
}
