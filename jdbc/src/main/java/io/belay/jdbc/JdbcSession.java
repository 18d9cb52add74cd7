package io.belay.jdbc;

import io.belay.document.Documents;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A connection to the database: each statement is a transaction of its own. */
final class JdbcSession implements Documents.Session {
    private final Connection connection;
    private final Connections source;
    private final Statements statements;

    JdbcSession(Connection connection, Connections source, Statements statements) {
        this.connection = connection;
        this.source = source;
        this.statements = statements;
    }

    @Override
    public Documents.Reading read(Collection<String> resources) {
        try (PreparedStatement statement =
                connection.prepareStatement(statements.read().of(resources.size()))) {
            int at = 1;
            for (String resource : resources) {
                statement.setBytes(at++, bytes(resource));
            }
            return reading(statement);
        } catch (SQLException e) {
            throw source.failures().of(e);
        }
    }

    private static byte[] bytes(String resource) {
        return resource.getBytes(StandardCharsets.UTF_8);
    }

    private static Documents.Reading reading(PreparedStatement statement) throws SQLException {
        Map<String, Documents.Found> found = new HashMap<>();
        long time = 0;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                time = rows.getLong(1);
                byte[] name = rows.getBytes(2);
                if (name != null) {
                    found.put(
                            new String(name, StandardCharsets.UTF_8),
                            new Documents.Found(rows.getLong(3), rows.getBytes(4)));
                }
            }
        }
        return new Documents.Reading(time, found);
    }

    @Override
    public Set<String> write(List<Documents.Change> changes, long notAfter) {
        // In one order for all clients, so that two batches do not wait for each other.
        List<Documents.Change> sorted = changes.stream()
                .sorted(Comparator.comparing(Documents.Change::resource))
                .toList();
        List<Documents.Change> old =
                sorted.stream().filter(change -> change.before() != 0).toList();
        List<Documents.Change> fresh =
                sorted.stream().filter(change -> change.before() == 0).toList();
        int done = update(old, notAfter) + insert(fresh, notAfter);
        if (done == changes.size()) {
            Set<String> all = new HashSet<>();
            changes.forEach(change -> all.add(change.resource()));
            return all;
        }
        return done == 0 ? Set.of() : made(changes);
    }

    private int update(List<Documents.Change> changes, long notAfter) {
        return changes.size() == 1 ? replace(changes.get(0), notAfter) : run(statements.update(), changes, notAfter);
    }

    private int replace(Documents.Change change, long notAfter) {
        try (PreparedStatement statement = connection.prepareStatement(statements.replace())) {
            statement.setLong(1, change.version());
            statement.setBytes(2, change.state());
            statement.setLong(3, change.forget());
            statement.setBytes(4, bytes(change.resource()));
            statement.setLong(5, change.before());
            statement.setLong(6, notAfter);
            return statement.executeUpdate();
        } catch (SQLException e) {
            return nothing(e);
        }
    }

    private int insert(List<Documents.Change> changes, long notAfter) {
        return run(statements.insert(), changes, notAfter);
    }

    private int run(Template template, List<Documents.Change> changes, long notAfter) {
        if (changes.isEmpty()) {
            return 0;
        }
        try (PreparedStatement statement = connection.prepareStatement(template.of(changes.size()))) {
            int at = 1;
            for (Documents.Change change : changes) {
                statement.setBytes(at++, bytes(change.resource()));
                if (change.before() != 0) {
                    statement.setLong(at++, change.before());
                }
                statement.setLong(at++, change.version());
                statement.setBytes(at++, change.state());
                statement.setLong(at++, change.forget());
            }
            statement.setLong(at, notAfter);
            return statement.executeUpdate();
        } catch (SQLException e) {
            return nothing(e);
        }
    }

    /** What was changed by a statement that failed for the sake of others; of all other reasons this makes a failure. */
    private int nothing(SQLException e) {
        if (source.dialect().isLost(e)) {
            return 0;
        }
        throw source.failures().of(e);
    }

    @Override
    public void ring(Collection<Documents.Call> calls) {
        if (source.dialect() == Dialect.POSTGRESQL) {
            try {
                PostgresBell.ring(connection, calls);
            } catch (SQLException e) {
                throw source.failures().of(e);
            }
        }
    }

    @Override
    public void sweep() {
        try (PreparedStatement statement = connection.prepareStatement(statements.sweep())) {
            statement.executeUpdate();
        } catch (SQLException e) {
            if (!source.dialect().isLost(e)) {
                throw source.failures().of(e);
            }
        }
    }

    @Override
    public void close() {
        source.close(connection);
    }
}
