package io.belay.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.MariaDbServer;
import io.belay.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Databases with a fence and a table of stock to guard, for the tests of one class. */
final class FenceDatabases implements AutoCloseable {
    enum Database {
        H2,
        SQLITE,
        POSTGRESQL,
        MARIADB
    }

    /** @param isolation of {@link Connection}'s levels */
    record Place(Database database, int isolation) {}

    private final Map<Database, String> urls = new EnumMap<>(Database.class);
    private final @Nullable PostgresServer postgres;
    private final @Nullable MariaDbServer mariaDb;

    private FenceDatabases(@Nullable PostgresServer postgres, @Nullable MariaDbServer mariaDb) {
        this.postgres = postgres;
        this.mariaDb = mariaDb;
    }

    static FenceDatabases start(Path directory) throws IOException, InterruptedException, SQLException {
        FenceDatabases databases = new FenceDatabases(
                PostgresServer.isInstalled() ? PostgresServer.start() : null,
                MariaDbServer.isAmongDatabases() ? MariaDbServer.start() : null);
        Map<Database, String> urls = databases.urls;
        // By itself it waits for a row for two seconds, and a busy machine keeps a thread from its commit for longer.
        urls.put(Database.H2, "jdbc:h2:" + directory.resolve("h2") + ";LOCK_TIMEOUT=60000");
        // Its writers stand in no queue: on a busy machine the last one waits for longer than the driver's three
        // seconds.
        urls.put(Database.SQLITE, "jdbc:sqlite:" + directory.resolve("sqlite") + "?busy_timeout=60000");
        if (databases.postgres != null) {
            urls.put(Database.POSTGRESQL, databases.postgres.url());
        }
        if (databases.mariaDb != null) {
            urls.put(Database.MARIADB, databases.mariaDb.url());
        }
        for (String url : urls.values()) {
            Schema.create(Connections.of(JdbcUrl.parse(url)));
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE stock (name VARCHAR(100) PRIMARY KEY, units INT NOT NULL)");
            }
        }
        return databases;
    }

    /** All levels that matter: SQLite has only one. */
    static Stream<Place> places() {
        List<Integer> levels = List.of(
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE);
        return Stream.of(Database.values())
                .flatMap(database -> database == Database.SQLITE
                        ? Stream.of(new Place(database, Connection.TRANSACTION_SERIALIZABLE))
                        : levels.stream().map(level -> new Place(database, level)));
    }

    Connection connect(Database database) throws SQLException {
        return DriverManager.getConnection(url(database));
    }

    String url(Database database) {
        assumeTrue(urls.containsKey(database), "there is no program of " + database);
        return urls.get(database);
    }

    Connection transaction(Place place) throws SQLException {
        Connection connection = connect(place.database());
        connection.setTransactionIsolation(place.isolation());
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public void close() {
        if (postgres != null) {
            postgres.close();
        }
        if (mariaDb != null) {
            mariaDb.close();
        }
    }
}
