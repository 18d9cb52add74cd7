package io.belay.jdbc;

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

/** A kind of database. Its statements are resources, in a directory of its name. */
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
            properties.put("ApplicationName", "belay");
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
    H2("H2"),
    /** SQLite 3.42 and later. */
    SQLITE("SQLite");

    private static final Map<String, Dialect> BY_URL =
            Map.of("postgresql", POSTGRESQL, "mysql", MYSQL, "mariadb", MYSQL, "h2", H2, "sqlite", SQLITE);

    /** A deadlock, a serialization failure: nothing was done, and to try again helps. */
    private static final Set<String> LOST_STATES = Set.of("40001", "40P01", "HYT00", "23505");

    /** The same in MySQL, H2 and SQLite, where the state does not tell. */
    private static final Map<Dialect, Set<Integer>> LOST_CODES = Map.of(
            MYSQL, Set.of(1213, 1062),
            H2, Set.of(50_200, 40_001, 90_131, 23_505),
            SQLITE, Set.of(5, 6, 261, 517, 19, 1555, 2067));

    private static final Pattern COMMENT = Pattern.compile("(?m)^ *--.*\\R");

    private final String title;

    Dialect(String title) {
        this.title = title;
    }

    /** Whether it is usually a server of its own, and not inside the process. */
    boolean isServer() {
        return this == POSTGRESQL || this == MYSQL;
    }

    /** Whether a statement that changes several rows can say which. */
    boolean tellsWhich() {
        return this != MYSQL;
    }

    /** How many connections a client keeps: two, and one that listens. */
    int connections() {
        return this == POSTGRESQL ? 3 : 2;
    }

    /** What users call it. */
    String title() {
        return title;
    }

    /** The database that the product name of a connection's metadata stands for; null if it is none of these. */
    static @Nullable Dialect ofProduct(String product) {
        String name = product.toLowerCase(Locale.ROOT);
        return BY_URL.entrySet().stream()
                .filter(entry -> name.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** What to say of a product that is none of these. */
    static String unknown(String product) {
        return "Belay has no statements for " + product + "; it knows PostgreSQL, MySQL, MariaDB, H2 and SQLite";
    }

    /** The database of {@code jdbc:KIND:...}; null if it is none of these. */
    static @Nullable Dialect ofUrl(String kind) {
        return BY_URL.get(kind);
    }

    /** What bounds the waits for the server, as the driver's properties. */
    Properties timeouts(Duration timeout) {
        return new Properties();
    }

    /** Whether a statement was not done for the sake of others, so that it may be tried again. */
    boolean isLost(SQLException e) {
        return (e.getSQLState() != null && LOST_STATES.contains(e.getSQLState()))
                || LOST_CODES.getOrDefault(this, Set.of()).contains(e.getErrorCode());
    }

    /** The statements that prepare a connection of a client's own; a lock is waited for not quite as long as the driver waits. */
    String session(Settings settings) {
        long millis = settings.timeout().toMillis() * 3 / 4;
        return sql("session", settings.table(), settings.fence())
                .replace("{lock_millis}", Long.toString(millis))
                .replace("{lock_seconds}", Long.toString(Math.max(1, millis / 1_000)));
    }

    /** The text of one of its statements, with the tables named. Several are separated by semicolons. */
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
