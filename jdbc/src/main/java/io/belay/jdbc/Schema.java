package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables. */
final class Schema {
    private Schema() {}

    static String ddl(Dialect dialect, Settings settings) {
        return dialect.sql("schema", settings.table(), settings.fence());
    }

    /** Makes the tables that are not there. */
    static void create(Connections source) {
        try (Connection connection = source.open()) {
            for (String sql : ddl(source.dialect(), source.settings()).split(";")) {
                create(connection, sql);
            }
        } catch (SQLException e) {
            throw source.failures().of(e);
        }
    }

    private static void create(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            // Two who make the same table at the same time get in each other's way; the second time it is there.
            try (Statement again = connection.createStatement()) {
                again.execute(sql);
            }
        }
    }
}
