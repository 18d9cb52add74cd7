package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.servers.MariaDbServer;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What may be forgotten is deleted, all of it, and by one client at a time. */
@Tag("drivers")
@Tag("long")
class SweepTest {
    private enum Database {
        H2,
        SQLITE,
        POSTGRESQL,
        MARIADB
    }

    private static final int ROWS = 10_000;

    @TempDir
    private static Path directory;

    private static PostgresServer postgres;
    private static MariaDbServer mariaDb;
    private static final Map<Database, String> URLS = new EnumMap<>(Database.class);

    private final String table = "t" + UUID.randomUUID().toString().replace("-", "");

    @BeforeAll
    static void start() throws Exception {
        URLS.put(Database.H2, "jdbc:h2:" + directory.resolve("h2") + ";");
        URLS.put(Database.SQLITE, "jdbc:sqlite:" + directory.resolve("sqlite") + "?");
        if (PostgresServer.isInstalled()) {
            postgres = PostgresServer.start();
            URLS.put(Database.POSTGRESQL, postgres.url() + "&");
        }
        if (MariaDbServer.isAmongDatabases()) {
            mariaDb = MariaDbServer.start();
            URLS.put(Database.MARIADB, mariaDb.url() + "&sessionVariables=sql_safe_updates=1&");
        }
    }

    @AfterAll
    static void end() {
        if (postgres != null) {
            postgres.close();
        }
        if (mariaDb != null) {
            mariaDb.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void allGoesInOneRoundAndOneClientDoesIt(Database database) throws Exception {
        Connections source = source(database, table);
        Schema.create(source);
        fill(source, ROWS);
        try (JdbcSession one = new JdbcDocuments(source).connect();
                JdbcSession other = new JdbcDocuments(source).connect()) {
            assertThat(one.sweep()).isTrue();
            assertThat(rows(source)).isBetween(ROWS - 5_000, ROWS - 1_000);

            int left = rows(source);
            assertThat(other.sweep()).isFalse();
            assertThat(rows(source)).isEqualTo(left);

            sweepAll(one);
            assertThat(rows(source)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoHadTheTurnIsSucceededWhenItIsOver(Database database) throws Exception {
        Connections source = source(database, table);
        Schema.create(source);
        try (JdbcSession one = new JdbcDocuments(source).connect();
                JdbcSession other = new JdbcDocuments(source).connect()) {
            assertThat(one.sweep()).isFalse();
            fill(source, 10);
            assertThat(other.sweep()).isFalse();
            assertThat(rows(source)).isEqualTo(10);
            // As if a minute had gone.
            execute(
                    source,
                    "UPDATE " + table + " SET version = version - 60000000, forget = forget - 60000000"
                            + " WHERE name = " + (database == Database.POSTGRESQL ? "''::bytea" : "X''"));

            sweepAll(other);

            assertThat(rows(source)).isZero();
            fill(source, 10);
            assertThat(one.sweep()).isFalse();
            assertThat(rows(source)).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTableOfAnOlderVersionHasNoIndexAndIsSweptToo(Database database) throws Exception {
        Connections source = source(database, table);
        Schema.create(source);
        execute(
                source,
                database == Database.MARIADB
                        ? "ALTER TABLE " + table + " DROP INDEX " + table + "_forget"
                        : "DROP INDEX " + table + "_forget");
        fill(source, 2_500);
        try (JdbcSession session = new JdbcDocuments(source).connect()) {
            sweepAll(session);
        }
        assertThat(rows(source)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aTableInASchemaHasItsIndex(Database database) throws Exception {
        String schema = switch (database) {
            case H2 -> "PUBLIC";
            case SQLITE -> "main";
            case POSTGRESQL -> "public";
            case MARIADB -> "belay";
        };
        Connections source = source(database, schema + "." + table);
        Schema.create(source);
        Schema.create(source); // it is there, and its index
        fill(source, 10);
        Belay.connect(URLS.get(database) + "belay-table=" + schema + "." + table)
                .close();
        assertThat(rows(source)).isZero();
    }

    /** As a job's that runs each hour, in the very instant of the sweep. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aLockThatIsTakenMeanwhileKeepsItsRow(Database database) throws Exception {
        Connections source = source(database, table);
        Schema.create(source);
        fill(source, 1);
        boolean isPostgres = database == Database.POSTGRESQL;
        String waits = isPostgres
                ? "SELECT 1 FROM pg_locks WHERE NOT granted"
                : "SELECT 1 FROM information_schema.processlist WHERE info LIKE 'DELETE l FROM " + table
                        + "%' AND time_ms > 100";
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (JdbcSession session = new JdbcDocuments(source).connect();
                Connection taker = source.open();
                Statement statement = taker.createStatement()) {
            taker.setAutoCommit(false);
            statement.execute("UPDATE " + table + " SET version = 2, forget = " + Long.MAX_VALUE
                    + " WHERE name = 'lock:0'" + (isPostgres ? "::bytea" : ""));
            Future<Integer> swept = thread.submit(() -> session.delete(10));
            await().until(() -> swept.isDone() || has(statement, waits));
            taker.commit();
            assertThat(swept.get(Pace.seconds(), TimeUnit.SECONDS)).isZero();
            assertThat(session.read(List.of("lock:0")).found()).containsKey("lock:0");
        } finally {
            thread.shutdown();
        }
    }

    private static boolean has(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            return rows.next();
        }
    }

    private static void sweepAll(JdbcSession session) {
        while (session.sweep()) {
            // There may be more.
        }
    }

    private static Connections source(Database database, String table) {
        assumeTrue(URLS.containsKey(database), "there is no program of " + database);
        return Connections.of(JdbcUrl.parse(URLS.get(database) + "belay-table=" + table));
    }

    private static void fill(Connections source, int rows) throws SQLException {
        try (Connection connection = source.open()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO "
                    + source.settings().table() + " (name, version, state, forget) VALUES (?, 1, ?, ?)")) {
                for (int i = 0; i < rows; i++) {
                    insert.setBytes(1, ("lock:" + i).getBytes(StandardCharsets.UTF_8));
                    insert.setBytes(2, new byte[0]);
                    insert.setLong(3, i);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
        }
    }

    /** Without that of nobody's, which says whose turn it is. */
    private static int rows(Connections source) throws SQLException {
        try (Connection connection = source.open();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*) FROM " + source.settings().table() + " WHERE forget < 1000000000")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void execute(Connections source, String sql) throws SQLException {
        try (Connection connection = source.open();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
