package io.belay.jdbc;

import io.belay.server.ClientVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A kind of database. Its statements are resources, in a directory that has its name. */
enum Dialect {
    /** PostgreSQL 12 and later. */
    POSTGRESQL("PostgreSQL") {
        @Override
        Properties timeouts(Duration timeout) {
            Properties properties = new Properties();
            String seconds = Long.toString(Math.max(1, timeout.toSeconds()));
            properties.put("connectTimeout", seconds);
            properties.put("loginTimeout", seconds);
            properties.put("socketTimeout", seconds);
            properties.put("ApplicationName", ClientVersion.label());
            return properties;
        }
    },
    /** MySQL 8 and MariaDB 10.5 and later. */
    MYSQL("MySQL or MariaDB") {
        @Override
        Properties timeouts(Duration timeout) {
            Properties properties = new Properties();
            properties.put("connectTimeout", Long.toString(timeout.toMillis()));
            properties.put("socketTimeout", Long.toString(timeout.toMillis()));
            return properties;
        }
    },
    /** H2 2. */
    H2("H2") {
        /** The only limit of a read that its driver knows, and of none where there is no server. */
        @Override
        Properties timeouts(Duration timeout) {
            Properties properties = new Properties();
            properties.put("NETWORK_TIMEOUT", Long.toString(timeout.toMillis()));
            return properties;
        }
    },
    /** SQLite 3.42 and later. */
    SQLITE("SQLite");

    private static final Map<String, Dialect> BY_URL =
            Map.of("postgresql", POSTGRESQL, "mysql", MYSQL, "mariadb", MYSQL, "h2", H2, "sqlite", SQLITE);

    /** The SQL states of a deadlock, a serialization failure and the like: nothing was done, and to try again helps. */
    private static final Set<String> LOST_STATES = Set.of("40001", "40P01", "23505");

    /** The error codes of the same in MySQL, H2 and SQLite, where the state does not tell. */
    private static final Map<Dialect, Set<Integer>> LOST_CODES = Map.of(
            MYSQL, Set.of(1213, 1062),
            H2, Set.of(40_001, 90_131, 23_505),
            SQLITE, Set.of(5, 6, 261, 517, 19, 1555, 2067));

    private static final Pattern COMMENT = Pattern.compile("(?m)^ *--.*\\R");

    private final String title;

    Dialect(String title) {
        this.title = title;
    }

    /** Returns whether the database is usually a server of its own, and not inside the process. */
    boolean isServer() {
        return this == POSTGRESQL || this == MYSQL;
    }

    /** Returns whether a statement that changes several rows can say which. */
    boolean tellsWhich() {
        return this != MYSQL;
    }

    /** Returns how many connections a client keeps: two, and with PostgreSQL one that listens. */
    int connections() {
        return this == POSTGRESQL ? 3 : 2;
    }

    /** Returns the name by which users know the database. */
    String title() {
        return title;
    }

    /** Returns the kind that the product name of a connection's metadata stands for; null if it is none of these. */
    static @Nullable Dialect ofProduct(String product) {
        String name = product.toLowerCase(Locale.ROOT);
        return BY_URL.entrySet().stream()
                .filter(entry -> name.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** Returns the message for a product that is none of these. */
    static String unknown(String product) {
        return "Belay has no statements for " + product + "; it knows PostgreSQL, MySQL, MariaDB, H2 and SQLite";
    }

    /** Returns the kind of database of {@code jdbc:KIND:...}; null if it is none of these. */
    static @Nullable Dialect ofUrl(String kind) {
        return BY_URL.get(kind);
    }

    /** Returns the driver's properties that bound the waits for the server. */
    Properties timeouts(Duration timeout) {
        return new Properties();
    }

    /** Returns whether a statement has done nothing because of other transactions, so that it may be tried again. */
    boolean isLost(SQLException e) {
        if (Failures.isLocked(e)) {
            return false; // MySQL's own driver says 40001, but who has waited for that long is to be told
        }
        return (e.getSQLState() != null && LOST_STATES.contains(e.getSQLState()))
                || LOST_CODES.getOrDefault(this, Set.of()).contains(e.getErrorCode());
    }

    /**
     * Returns the statements that prepare a client's own connection; at a server, lock waits end before the driver's, unless that ends
     * within a second, which is the least at MySQL.
     */
    String session(Settings settings) {
        long millis = settings.timeout().toMillis() * 3 / 4;
        return sql("session", settings.table(), settings.fence())
                .replace("{lock_millis}", Long.toString(millis))
                .replace("{lock_seconds}", Long.toString(Math.max(1, millis / 1_000)));
    }

    /** Returns the text of one of the statements, with the tables named. Semicolons separate several. */
    String sql(String name, String table, String fence) {
        return sql(name().toLowerCase(Locale.ROOT), name, table, fence);
    }

    static String sql(String directory, String name, String table, String fence) {
        String path = directory + "/" + name + ".sql";
        try (InputStream in = Dialect.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + path);
            }
            return COMMENT.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .replaceAll("")
                    .strip()
                    .replace("{table}", table)
                    .replace("{fence}", fence);
        } catch (IOException e) {
            throw new IllegalStateException(path, e);
        }
    }
}
