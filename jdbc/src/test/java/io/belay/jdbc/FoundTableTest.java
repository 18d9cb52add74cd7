package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayAdmin;
import io.belay.document.Documents.Change;
import io.belay.document.Documents.Session;
import io.belay.jdbc.FenceDatabases.Database;
import io.belay.spi.Finding;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two tables of one name, in schemas of which a session finds one at a time. */
@Tag("drivers")
class FoundTableTest {
    private static final List<String> SCHEMAS = List.of("One \"`' two", "other");

    @TempDir
    private static Path directory;

    private static FenceDatabases databases;

    private String schema = SCHEMAS.get(0);

    @BeforeAll
    static void start() throws Exception {
        databases = FenceDatabases.start(directory);
    }

    @AfterAll
    static void end() {
        databases.close();
    }

    private static String url(Database database) {
        String url = databases.url(database);
        return database == Database.MARIADB ? url.replaceFirst("user=.*", "user=root") : url;
    }

    private static Connection connect(Database database, String schema) throws SQLException {
        Connection connection = DriverManager.getConnection(url(database));
        if (database == Database.MARIADB) {
            connection.setCatalog(schema);
        } else {
            connection.setSchema(schema);
        }
        return connection;
    }

    private static void make(Database database, String schema) throws SQLException {
        String quote = database == Database.MARIADB ? "`" : "\"";
        try (Connection connection = DriverManager.getConnection(url(database));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA IF NOT EXISTS " + quote + schema.replace(quote, quote + quote) + quote);
        }
        DataSource source = StandIn.of(DataSource.class, (method, text) -> connect(database, schema));
        Schema.create(Connections.of(source, Settings.DEFAULT));
    }

    private static int rows(Database database, String schema) throws SQLException {
        try (Connection connection = connect(database, schema);
                PreparedStatement statement =
                        connection.prepareStatement("SELECT count(*) FROM belay_lock WHERE name = ?")) {
            statement.setBytes(1, NameBytes.of("aa"));
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    /** As where a pool hands out a connection on which somebody has set it, or a role's is changed meanwhile. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
    void allSessionsOfAClientUseTheTableThatTheFirstOneFinds(Database database) throws Exception {
        for (String each : SCHEMAS) {
            make(database, each);
        }
        DataSource source = StandIn.of(DataSource.class, (method, text) -> connect(database, schema));
        try (JdbcDocuments documents = new JdbcDocuments(Connections.of(source, Settings.DEFAULT))) {
            documents.check();
            schema = SCHEMAS.get(1);
            try (Session session = documents.connect()) {
                assertThat(session.write(
                                List.of(new Change("aa", 0, 1, new byte[] {1}, Long.MAX_VALUE)), Long.MAX_VALUE))
                        .containsExactly("aa");
                assertThat(session.write(
                                List.of(new Change("aa", 1, 2, new byte[] {1}, Long.MAX_VALUE)), Long.MAX_VALUE))
                        .containsExactly("aa");
                assertThat(session.read(List.of("aa")).found()).containsOnlyKeys("aa");
            }
        }
        assertThat(rows(database, SCHEMAS.get(0))).isOne();
        assertThat(rows(database, SCHEMAS.get(1))).isZero();
    }

    @Test
    void theDoctorNamesTheTablesOfWhichASessionMayFindAnother() throws Exception {
        try (Connection connection = databases.connect(Database.POSTGRESQL);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE doctor");
        }
        String url = databases.url(Database.POSTGRESQL).replace("/postgres?", "/doctor?");
        BelayAdmin.prepare(url);
        assertThat(several(url)).isEmpty();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA apart");
        }
        BelayAdmin.prepare(url + "&currentSchema=apart");
        assertThat(several(url))
                .anyMatch(found -> found.contains(" tables belay_fence, as in the schemas apart and public:"));
        assertThat(several(url))
                .anyMatch(found -> found.contains(" tables belay_lock, as in the schemas apart and public:"));
        assertThat(several(url + "&belay-table=public.belay_lock")).noneMatch(found -> found.contains("belay_lock"));
    }

    private static List<String> several(String url) {
        return BelayAdmin.examine(url).stream()
                .map(Finding::finding)
                .filter(found -> found.startsWith("There are 2 tables "))
                .toList();
    }
}
