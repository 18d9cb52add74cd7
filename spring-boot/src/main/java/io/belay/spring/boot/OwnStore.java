package io.belay.spring.boot;

import io.belay.spi.StoreOpener;
import java.util.function.Supplier;

/**
 * A store that the application has already, and could keep its locks in.
 *
 * @param kind which of {@code belay.store}
 * @param place what the application knows it by, for messages
 * @param artifact the module of Belay that it takes
 * @param present whether that module is on the class path
 * @param opener makes what opens it
 */
record OwnStore(
        BelayProperties.Store kind, String place, String artifact, boolean present, Supplier<StoreOpener> opener) {}
