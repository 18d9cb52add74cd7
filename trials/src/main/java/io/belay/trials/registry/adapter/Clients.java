package io.belay.trials.registry.adapter;

import io.belay.Belay;
import java.util.ArrayList;
import java.util.List;

/** The clients of the store that the tests run on: one for each registry, which stands for a process. Thread-safe. */
public final class Clients {
    /** From then on each takes the place of the eldest: a test makes thousands of registries, some twenty at a time. */
    private static final int MOST = 50;

    private static final List<Belay> OPEN = new ArrayList<>();
    private static String url = "memory:registry";
    private static int asked;

    private Clients() {}

    /** Has all that is opened from now on be of that store. */
    public static synchronized void use(String storeUrl) {
        url = storeUrl;
    }

    static synchronized Belay open() {
        if (OPEN.size() < MOST) {
            OPEN.add(Belay.connect(url));
        }
        return OPEN.get(asked++ % MOST);
    }

    /** Closes all that a test has opened. */
    public static synchronized void closeAll() {
        OPEN.forEach(Belay::close);
        OPEN.clear();
        asked = 0;
    }
}
