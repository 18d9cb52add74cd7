package io.belay.spring.boot;

import io.belay.BelayOptions;

/** A change of the client's options beyond the properties: a listener, families of locks, an executor. */
@FunctionalInterface
public interface BelayOptionsCustomizer {
    /** Returns the changed options. */
    BelayOptions customize(BelayOptions options);
}
