package io.belay.jdbc;

import io.belay.support.Log;
import io.belay.support.LogName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of locks that a session finds by a name without a schema. All sessions of a client use that one from then on: what a
 * session looks for it in may be set by a pool, a role or whoever had the connection before, and a table found elsewhere has other
 * locks.
 */
final class FoundTable {
    private static final Log LOG = Log.of(LogName.STORE);

    private FoundTable() {}

    /** Returns the table with its schema, quoted; as it was given where that has one, or the database does not tell. */
    static String of(Connection connection, Connections source) {
        String given = source.settings().table();
        if (given.contains(".") || source.dialect() == Dialect.SQLITE) {
            return given;
        }
        try {
            return first(connection, source, given);
        } catch (SQLException e) {
            return given; // what is wrong is told by its first use
        }
    }

    private static String first(Connection connection, Connections source, String given) throws SQLException {
        String found = given;
        List<String> others = new ArrayList<>();
        String sql = source.dialect().sql("found", given, source.settings().fence());
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                if (rows.getBoolean(2)) {
                    found = rows.getString(1);
                } else {
                    others.add(rows.getString(1));
                }
            }
        }
        if (!found.equals(given) && !others.isEmpty()) {
            LOG.warn(
                    "{}: this client's locks are in {}, and one whose search_path finds another table of that name, as {}, has"
                            + " others: name the schema"
                            + " (belay-table, Jdbc.withTable)",
                    source.place(),
                    found,
                    String.join(", ", others));
        }
        return found;
    }
}
