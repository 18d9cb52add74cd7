package io.belay.redis;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The product that a server is, by what its INFO says besides a version number: that is what others borrow, for old clients to
 * let them in. What does not prove to be one that is known counts as another.
 */
enum Product {
    REDIS("Redis", true),
    VALKEY("Valkey", true),
    GARNET("Garnet", false),
    DRAGONFLY("Dragonfly", false),
    KEYDB("KeyDB", false),
    OTHER("a server of no known make", false);

    /** The words that stand in the names of fields of servers that are no Redis and no Valkey, or are much changed. */
    private static final Pattern FOREIGN =
            Pattern.compile("garnet|dragonfly|keydb|crdt|rlec|tair|polardb|kvrocks|pika|upstash|sider|tendis");

    /** The fields that both products have told since Redis 6.2, and that who imitates them has no use for. */
    private static final Set<String> OWN = Set.of(
            "redis_git_sha1",
            "gcc_version",
            "monotonic_clock",
            "lru_clock",
            "configured_hz",
            "mem_allocator",
            "config_file");

    private static final Pattern BUILD = Pattern.compile("(?=.*[1-9a-f])[0-9a-f]{8,}");
    private static final Set<String> NAMES = Set.of("", "redis", "valkey");

    private final String words;
    private final boolean proven;

    Product(String words, boolean proven) {
        this.words = words;
        this.proven = proven;
    }

    static Product of(ServerInfo server) {
        String executable = server.get("executable").toLowerCase(Locale.ROOT);
        if (server.hasFieldLike(Pattern.compile("garnet"))) {
            return GARNET;
        } else if (server.hasFieldLike(Pattern.compile("dragonfly"))) {
            return DRAGONFLY;
        } else if (executable.contains("keydb") || server.hasFieldLike(Pattern.compile("keydb"))) {
            return KEYDB;
        } else if (server.hasFieldLike(FOREIGN)
                || !NAMES.contains(server.get("server_name"))
                || !BUILD.matcher(server.get("redis_build_id")).matches()
                || OWN.stream().anyMatch(field -> !server.has(field))) {
            return OTHER;
        }
        return server.get("server_name").equals("valkey") ? VALKEY : REDIS;
    }

    /** Returns whether it is known to run scripts one at a time. */
    boolean isProven() {
        return proven;
    }

    /** Returns what it is called. */
    String words() {
        return words;
    }

    /** Returns whether several servers take writes and settle their differences later, which no lock outlives. */
    static boolean isActiveActive(ServerInfo server) {
        return server.get("role").equals("active-replica")
                || server.hasFieldLike(Pattern.compile("^crdt"))
                || server.hasModule("crdt");
    }
}
