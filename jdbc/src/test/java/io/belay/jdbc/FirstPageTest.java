package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.jdbc.FenceDatabases.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guard as the README has it, for programs in other languages: it refuses late holders, and no others. */
class FirstPageTest {
    @TempDir
    private static Path directory;

    private static FenceDatabases databases;
    private static String update;
    private static String select;

    private final byte[] lock = NameBytes.of("lock:" + UUID.randomUUID());

    @BeforeAll
    static void start() throws Exception {
        databases = FenceDatabases.start(directory);
        String page = Files.readString(Path.of("../README.md"));
        update = found(page, "(?m)^UPDATE belay_fence [^-]*");
        select = found(page, "SELECT token FROM belay_fence [^`]*");
    }

    private static String found(String page, String sql) {
        return Pattern.compile(sql)
                .matcher(page)
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElseThrow()
                .replace(":token", "?")
                .replace(":lock", "?");
    }

    @AfterAll
    static void end() {
        databases.close();
    }

    @ParameterizedTest
    @EnumSource
    void aLateHolderMatchesNoRow(Database database) throws Exception {
        try (Connection connection = databases.connect(database)) {
            begin(connection);
            assertThat(raise(connection, 10)).isEqualTo(1);
            assertThat(raise(connection, 10)).as("its second transaction").isEqualTo(1);
            assertThat(raise(connection, 20)).isEqualTo(1);
            assertThat(raise(connection, 10)).as("late").isZero();
        }
    }

    /** As of most languages; Java's drivers ask for those that match. */
    @Test
    void aClientThatCountsChangesKnowsItsOwnToken() throws Exception {
        Properties counting = new Properties();
        counting.setProperty("useAffectedRows", "true");
        try (Connection connection = DriverManager.getConnection(databases.url(Database.MARIADB), counting)) {
            begin(connection);
            assertThat(raise(connection, 10)).isEqualTo(1);
            assertThat(raise(connection, 10)).as("its second transaction").isZero();
            assertThat(read(connection)).isEqualTo(10);
            assertThat(raise(connection, 20)).isEqualTo(1);
            assertThat(raise(connection, 10)).as("late").isZero();
            assertThat(read(connection)).isEqualTo(20);
        }
    }

    /** Makes the row, which is there before the first holder comes; each transaction here is one statement. */
    private void begin(Connection connection) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO belay_fence (name, token) VALUES (?, 0)")) {
            insert.setBytes(1, lock);
            insert.executeUpdate();
        }
    }

    private int raise(Connection connection, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setLong(1, token);
            statement.setBytes(2, lock);
            statement.setLong(3, token);
            return statement.executeUpdate();
        }
    }

    private long read(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setBytes(1, lock);
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                return rows.getLong(1);
            }
        }
    }
}
