package io.belay.jdbc;

import io.belay.server.KnownFault;
import io.belay.spi.Finding;
import io.belay.spi.Finding.Severity;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * The known faults of versions of databases: the ends of support that postgresql.org, mariadb.org and Oracle tell, and
 * an index that misses rows, as the release notes of PostgreSQL 14.4 say.
 */
final class DatabaseFaults {
    private static final Map<String, List<KnownFault>> KNOWN = Map.of(
            "PostgreSQL",
            List.of(
                    new KnownFault(
                            Severity.WARNING,
                            "14.0",
                            "14.4",
                            "makes indexes that miss rows when it builds them CONCURRENTLY, and a lock whose row is"
                                    + " missed may have two holders.",
                            "Use 14.4 or later, and then run REINDEX on the table of locks."),
                    unsupported("0", "14.0", "since November 2025", "15 or later"),
                    unsupported("14.4", "15.0", "since November 2026", "15 or later")),
            "MariaDB",
            List.of(
                    unsupported("0", "10.6", "since June 2025", "10.11, 11.4, 11.8 or later"),
                    unsupported("10.6", "10.11", "since July 2026", "10.11, 11.4, 11.8 or later"),
                    unsupported("11.0", "11.4", "since November 2024", "11.4, 11.8 or later"),
                    unsupported("11.5", "11.8", "since May 2025", "11.8 or later")),
            "MySQL",
            List.of(unsupported("0", "8.4", "since April 2026", "8.4 or later")));

    private DatabaseFaults() {}

    private static KnownFault unsupported(String from, String before, String since, String instead) {
        return new KnownFault(
                Severity.NOTE,
                from,
                before,
                "is out of support " + since + " or longer, so nobody mends what is found in it.",
                "Use " + instead + ", or ask who built it for how long it is mended.");
    }

    static List<Finding> of(DatabaseMetaData server) throws SQLException {
        return of(server.getDatabaseProductName(), server.getDatabaseProductVersion());
    }

    static List<Finding> of(String product, String version) {
        // MySQL's own driver calls a MariaDB so, and only the version tells.
        String name = version.contains("MariaDB") ? "MariaDB" : product;
        return KnownFault.in(name, version, KNOWN.getOrDefault(name, List.of()));
    }
}
