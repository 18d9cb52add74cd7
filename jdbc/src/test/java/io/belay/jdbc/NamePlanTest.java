package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.jdbc.FenceDatabases.Database;
import io.belay.spi.Store.NamePage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A page of names is a range of the key, as each database says that it would read it; the row that is no lock's is in none. */
@Tag("drivers")
@Tag("long")
class NamePlanTest {
    private static final int ROWS = 20_000;

    @TempDir
    private static Path directory;

    private static FenceDatabases databases;

    @BeforeAll
    static void start() throws Exception {
        databases = FenceDatabases.start(directory);
    }

    @AfterAll
    static void end() {
        databases.close();
    }

    @ParameterizedTest
    @EnumSource
    void isReadByTheKey(Database database) throws Exception {
        Connections source = Connections.of(JdbcUrl.parse(databases.url(database)));
        try (Connection connection = source.open();
                JdbcSession session = new JdbcDocuments(source).connect()) {
            session.sweep(); // makes the row that is no lock's
            fill(connection);
            String explain = database == Database.SQLITE ? "EXPLAIN QUERY PLAN " : "EXPLAIN ";
            NamePage page = session.names("", "");
            assertThat(page.names())
                    .as("the first page of %s", database)
                    .hasSize(NameRange.PAGE)
                    .doesNotContain("")
                    .startsWith(name(0), name(1));
            for (NameRange range : List.of(
                    NameRange.of("", ""),
                    NameRange.of("stock:1", ""),
                    NameRange.of("", page.next().orElseThrow()))) {
                String sql = explain
                        + Statements.of(source.dialect(), source.settings()).names();
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.setBytes(1, range.from());
                    statement.setBytes(2, range.to());
                    assertThat(text(statement.executeQuery())).contains(key(database));
                }
            }
        }
    }

    private static String key(Database database) {
        return switch (database) {
            case H2 -> "PRIMARY_KEY";
            case SQLITE -> "USING PRIMARY KEY (name>? AND name<?)";
            case POSTGRESQL -> "using belay_lock_pkey";
            case MARIADB -> "range PRIMARY";
        };
    }

    /** Names are read in the order of their bytes: these have one length. */
    private static String name(int i) {
        return String.format("stock:%05d", i);
    }

    private static void fill(Connection connection) throws Exception {
        byte[] state = new byte[100];
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO belay_lock (name, version, state, forget) VALUES (?, 1, ?, ?)")) {
            for (int i : IntStream.range(0, ROWS).toArray()) {
                insert.setBytes(1, name(i).getBytes(StandardCharsets.UTF_8));
                insert.setBytes(2, state);
                insert.setLong(3, Long.MAX_VALUE);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
        if (!connection.getMetaData().getDatabaseProductName().startsWith("MariaDB")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("ANALYZE");
            }
        }
    }

    private static String text(ResultSet rows) throws Exception {
        List<String> all = new ArrayList<>();
        while (rows.next()) {
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                String value = rows.getString(i);
                if (value != null) {
                    all.add(value);
                }
            }
        }
        return String.join(" ", all);
    }
}
