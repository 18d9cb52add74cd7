package io.belay.redis;

import io.belay.server.KnownFault;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.util.List;

/** The known faults of versions of Redis and Valkey. */
final class RedisFaults {
    private static final String LUA = "lets whoever may run scripts, as locks have to, take over the server"
            + " (CVE-2025-49844), unless who built it has mended that.";

    /** Notes, since distributions mend what they ship and keep its version, as Debian does. */
    private static final List<KnownFault> OF_REDIS = List.of(
            new KnownFault(
                    Severity.WARNING,
                    "0",
                    "6.2.7",
                    "writes in scripts, as locks have to, though min-replicas-to-write forbids it (redis/redis#9993).",
                    "Use 6.2.7 or later, or write replicas=1 into the URL and do not count on that setting."),
            lua("0", "6.2.20"),
            lua("7.0.0", "7.2.11"),
            lua("7.4.0", "7.4.6"),
            lua("8.0.0", "8.0.4"),
            lua("8.2.0", "8.2.2"));

    private static final List<KnownFault> OF_VALKEY =
            List.of(lua("0", "7.2.11"), lua("8.0.0", "8.0.6"), lua("8.1.0", "8.1.4"));

    private RedisFaults() {}

    private static KnownFault lua(String from, String before) {
        return new KnownFault(
                Severity.NOTE,
                from,
                before,
                LUA,
                "Use " + before + " or later, or a build that is mended, and give the right to EVAL to few.");
    }

    static List<Finding> of(ServerInfo server) {
        // Valkey calls itself a Redis 7.2.4 for old clients.
        return server.get("server_name").equals("valkey")
                ? KnownFault.in("Valkey", server.get("valkey_version"), OF_VALKEY)
                : KnownFault.in("Redis", server.version(), OF_REDIS);
    }
}
