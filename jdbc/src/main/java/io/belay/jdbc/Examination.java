package io.belay.jdbc;

import io.belay.document.Documents;
import io.belay.spi.Finding;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A search for what endangers locks in a database: each dialect has a query for it. */
final class Examination {
    private Examination() {}

    static List<Finding> of(Connections source) {
        // Whether there is a table of locks, and it may be read.
        try (Documents.Session session = new JdbcDocuments(source).connect()) {
            session.read(List.of(JdbcDocuments.NOBODYS));
        }
        String table = source.settings().table();
        String sql = Schema.inParts(
                source.dialect().sql("examine", table, source.settings().fence()), table);
        try {
            Connection connection = source.open();
            try {
                List<Finding> findings = rows(connection, sql);
                findings.addAll(DatabaseFaults.of(connection.getMetaData()));
                findings.addAll(ServerWatch.of(connection, source));
                if (source.dialect() == Dialect.SQLITE) {
                    SqliteFiles.file(connection.getMetaData().getURL())
                            .ifPresent(file -> findings.addAll(SqliteFiles.examine(file)));
                }
                return findings;
            } finally {
                source.close(connection);
            }
        } catch (SQLException e) {
            throw source.failures().of(e);
        }
    }

    /** Returns the rows of a statement, each of which is a finding. */
    static List<Finding> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<Finding> findings = new ArrayList<>();
            while (rows.next()) {
                findings.add(Finding.of(
                        Finding.Severity.valueOf(rows.getString(1)),
                        rows.getString(2),
                        rows.getString(3),
                        rows.getString(4)));
            }
            return findings;
        }
    }
}
