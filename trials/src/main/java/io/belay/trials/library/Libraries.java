package io.belay.trials.library;

import io.belay.Belay;
import io.belay.trials.plant.Plant;
import io.belay.trials.plant.PlantedStores;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The libraries that can be tried. */
public final class Libraries {
    /** The name of Belay among them. */
    public static final String BELAY = "belay";

    private static final String UNIQUE_KEY = "textbook-unique-key";

    private static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put(BELAY, "Belay");
        ALL.put("redisson", "Redisson's getLock with its watchdog");
        ALL.put("textbook-setnx-expire", "SETNX, then EXPIRE; released by DEL");
        ALL.put("textbook-getset", "SETNX with a time, GETSET once it is over; released by DEL");
        ALL.put("textbook-del", "SET NX PX; released by DEL");
        ALL.put(UNIQUE_KEY, "a row with a unique key in PostgreSQL, inserted to lock and deleted to unlock");
        ALL.put("textbook-poll", "SET NX PX; released by a script that compares");
    }

    private Libraries() {}

    /** Returns the libraries by name, with what each name stands for. */
    public static Map<String, String> all() {
        return ALL;
    }

    /** The only store that a library other than Belay is for. */
    public static String storeOf(String name) {
        return name.equals(UNIQUE_KEY) ? "postgresql" : "redis";
    }

    /**
     * Connects a library to its store.
     *
     * @param name one of {@link #all()}
     * @param url where the store is, as Belay writes it
     * @param lease the lease of each lock
     * @param process the name of this process
     * @param plant the bug to plant in Belay
     */
    public static Library open(String name, String url, Duration lease, String process, Plant plant) {
        return switch (name) {
            case BELAY ->
                new BelayLibrary(
                        Belay.connect(PlantedStores.opener(url, plant, lease), BelayLibrary.options(lease, process)),
                        lease,
                        plant);
            case "redisson" -> new RedissonLibrary(url, lease);
            case "textbook-setnx-expire" -> new SetnxExpireLock(url, lease);
            case "textbook-getset" -> new GetsetLock(url, lease);
            case "textbook-del" -> new BareDelLock(url, lease);
            case UNIQUE_KEY -> new UniqueKeyLock(url);
            case "textbook-poll" -> new ComparedDelLock(url, lease);
            default -> throw new IllegalArgumentException("no library '" + name + "'");
        };
    }
}
