package io.belay.internal;

import io.belay.Belay;
import io.belay.BelayOptions;

/** Opens clients. */
public final class Client {
    private Client() {}

    public static Belay connect(String url, BelayOptions options) {
        throw new IllegalStateException(url + options);
    }
}
