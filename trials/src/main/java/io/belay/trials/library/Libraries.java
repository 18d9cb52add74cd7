package io.belay.trials.library;

import io.belay.Belay;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The libraries that can be tried. */
public final class Libraries {
    /** The name of Belay among them. */
    public static final String BELAY = "belay";

    private static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put(BELAY, "Belay");
    }

    private Libraries() {}

    /** What each name stands for. */
    public static Map<String, String> all() {
        return ALL;
    }

    /**
     * Connects a library to its store.
     *
     * @param name one of {@link #all()}
     * @param url where the store is, as Belay writes it
     * @param lease the lease of each lock
     * @param process the name of this process
     */
    public static Library open(String name, String url, Duration lease, String process) {
        return switch (name) {
            case BELAY -> new BelayLibrary(Belay.connect(url, BelayLibrary.options(lease, process)));
            default -> throw new IllegalArgumentException("no library '" + name + "'");
        };
    }
}
