package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables. */
final class Schema {
    private static final String INDEX = "_forget";

    /** PostgreSQL cuts off what is longer. */
    private static final int LONGEST = 63;

    private Schema() {}

    static String ddl(Dialect dialect, Settings settings) {
        String table = settings.table();
        int dot = table.indexOf('.') + 1;
        String bare = table.substring(dot);
        String index = bare.substring(0, Math.min(bare.length(), LONGEST - INDEX.length())) + INDEX;
        return dialect.sql("schema", table, settings.fence())
                .replace("{schema}", table.substring(0, dot))
                .replace("{bare}", bare)
                .replace("{index}", index);
    }

    /** Makes the tables that are not there. */
    static void create(Connections source) {
        try (Connection connection = source.open()) {
            for (String sql : ddl(source.dialect(), source.settings()).split(";")) {
                create(connection, sql.strip());
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
            } catch (SQLException second) {
                // A table that somebody else owns does without its index.
                if (!sql.startsWith("CREATE INDEX")) {
                    throw second;
                }
            }
        }
    }
}
