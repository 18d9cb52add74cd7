package io.belay.jdbc;

import io.belay.document.Documents;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A connection to the database: each statement is a transaction of its own. */
final class JdbcSession implements Documents.Session {
    /** The most rows that one statement deletes, so that others do not wait for long. */
    private static final int SWEPT = 1000;

    private final Connection connection;
    private final Connections source;
    private final Statements statements;
    private final SweepTurn sweepTurn = new SweepTurn();
    private final Thread user = Thread.currentThread();
    private final int timesReadOnly;
    /** Whether the server would not do what was asked, so that another one is to be found. */
    private boolean refused;

    /** @param timesReadOnly how often a server had been found to be read-only when the connection was asked for */
    JdbcSession(Connection connection, Connections source, Statements statements, int timesReadOnly) {
        this.connection = connection;
        this.source = source;
        this.statements = statements;
        this.timesReadOnly = timesReadOnly;
    }

    /** Refuses a session of MySQL or MariaDB whose time stands still: each write would seem to come too late, as if others were quicker. */
    void checkClock() {
        if (source.dialect() != Dialect.MYSQL) {
            return;
        }
        try {
            boolean isLate = isClockLate();
            if (isLate && isClockLate()) { // once may be a statement that had to wait
                throw new SQLException(
                        "the clock of its sessions stands still, as by a SET timestamp in init_connect or"
                                + " in what a pool runs first: leases cannot be measured by it, so take that out",
                        "HY000");
            }
        } catch (SQLException e) {
            throw source.failures().of(e);
        }
    }

    private boolean isClockLate() throws SQLException {
        Settings settings = source.settings();
        try (Statement statement = connection.createStatement();
                ResultSet late =
                        statement.executeQuery(source.dialect().sql("frozen", settings.table(), settings.fence()))) {
            return late.next();
        }
    }

    @Override
    public Documents.Reading read(Collection<String> resources) {
        source.failures().checkReadOnlySince(timesReadOnly);
        try (PreparedStatement statement =
                connection.prepareStatement(statements.read().of(resources.size()))) {
            int at = 1;
            for (String resource : resources) {
                statement.setBytes(at++, bytes(resource));
            }
            return reading(statement);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private StoreException failure(SQLException e) {
        refused |= Failures.isRefusedForNow(e);
        return source.failures().of(e);
    }

    private static byte[] bytes(String resource) {
        try {
            return NameBytes.of(resource);
        } catch (IllegalArgumentException e) {
            throw StoreException.unusable(String.valueOf(e.getMessage()), e);
        }
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
        Template update = statements.update();
        Set<String> made = new HashSet<>();
        if (update == null) {
            made.addAll(each(old, notAfter));
        } else {
            made.addAll(old.size() == 1 ? each(old, notAfter) : all(update, old, notAfter));
        }
        made.addAll(all(statements.insert(), fresh, notAfter));
        return made;
    }

    /** Makes changes by one statement, which says, but in MySQL, which were made, whoever changes the rows next. */
    private Set<String> all(Template template, List<Documents.Change> changes, long notAfter) {
        if (changes.isEmpty()) {
            return Set.of();
        }
        Set<String> made = new HashSet<>(once(template, changes, notAfter));
        if (source.dialect() == Dialect.H2 && changes.size() > 1 && made.size() < changes.size()) {
            // H2 keeps what a statement has done when another transaction is in its way, and fails, or does it again
            // from the start.
            made.addAll(resources(asWritten(changes)));
        }
        return made;
    }

    private Set<String> once(Template template, List<Documents.Change> changes, long notAfter) {
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
            return statement.execute() ? names(statement.getResultSet()) : made(changes, statement.getUpdateCount());
        } catch (SQLException e) {
            return nothing(e);
        }
    }

    private static Set<String> names(ResultSet rows) throws SQLException {
        Set<String> names = new HashSet<>();
        while (rows.next()) {
            names.add(new String(rows.getBytes(1), StandardCharsets.UTF_8));
        }
        return names;
    }

    /**
     * Returns which new rows were made, of which the count is known. Where they are not all, as others were quicker, those with this
     * client's versions are looked for: if they are as many, it is these, and what others have there was never made. If not,
     * one was changed since.
     */
    private Set<String> made(List<Documents.Change> changes, int count) {
        if (count == 0) {
            return Set.of();
        }
        Set<String> made = count == changes.size() ? resources(changes) : resources(asWritten(changes));
        return made.size() == count ? made : made(changes);
    }

    private static Set<String> resources(List<Documents.Change> changes) {
        return changes.stream().map(Documents.Change::resource).collect(Collectors.toSet());
    }

    /** Reads which of these changes are the last ones of their rows. */
    private List<Documents.Change> asWritten(List<Documents.Change> changes) {
        Map<String, Documents.Found> found = read(resources(changes)).found();
        return changes.stream()
                .filter(change -> {
                    Documents.Found now = found.get(change.resource());
                    return now != null && now.version() == change.version();
                })
                .toList();
    }

    /** Changes each row by a statement of its own, all in one batch. */
    private Set<String> each(List<Documents.Change> changes, long notAfter) {
        if (changes.isEmpty()) {
            return Set.of();
        }
        String sql = changes.size() == 1 ? statements.replace() : statements.skip();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Documents.Change change : changes) {
                statement.setLong(1, change.version());
                statement.setBytes(2, change.state());
                statement.setLong(3, change.forget());
                statement.setBytes(4, bytes(change.resource()));
                statement.setLong(5, change.before());
                statement.setLong(6, notAfter);
                if (changes.size() == 1) {
                    return statement.executeUpdate() > 0 ? Set.of(change.resource()) : Set.of();
                }
                statement.addBatch();
            }
            return made(changes, statement.executeBatch());
        } catch (SQLException e) {
            if (changes.size() == 1 || !source.dialect().isLost(e)) {
                return nothing(e);
            }
            // MySQL's driver with rewriteBatchedStatements counts nothing where not the first of them fails.
            return e instanceof BatchUpdateException batch ? made(changes, batch.getUpdateCounts()) : made(changes);
        }
    }

    /** Returns the resources whose counts say that they were changed; reads those that a driver did not count. */
    private Set<String> made(List<Documents.Change> changes, int[] counts) {
        Set<String> made = new HashSet<>();
        List<Documents.Change> uncounted = new ArrayList<>(0);
        for (int i = 0; i < changes.size(); i++) {
            int count = i < counts.length ? counts[i] : Statement.SUCCESS_NO_INFO;
            if (count > 0) {
                made.add(changes.get(i).resource());
            } else if (count == Statement.SUCCESS_NO_INFO) {
                uncounted.add(changes.get(i));
            }
        }
        if (!uncounted.isEmpty()) {
            made.addAll(made(uncounted));
        }
        return made;
    }

    @Override
    public boolean reserve(String resource, long version, long over) {
        try (PreparedStatement statement = connection.prepareStatement(statements.reserve())) {
            statement.setLong(1, version);
            statement.setBytes(2, bytes(resource));
            statement.setLong(3, over);
            return statement.executeUpdate() > 0;
        } catch (SQLException e) {
            return !nothing(e).isEmpty();
        }
    }

    /** Returns the empty set if a statement did nothing because of other transactions; throws any other failure. */
    private Set<String> nothing(SQLException e) {
        if (source.dialect().isLost(e)) {
            return Set.of();
        }
        throw failure(e);
    }

    @Override
    public Store.NamePage names(String prefix, String cursor) {
        source.failures().checkReadOnlySince(timesReadOnly);
        NameRange range = NameRange.of(prefix, cursor);
        try (PreparedStatement statement = connection.prepareStatement(statements.names())) {
            statement.setBytes(1, range.from());
            statement.setBytes(2, range.to());
            List<byte[]> page = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    page.add(rows.getBytes(1));
                }
            }
            List<String> names = page.stream()
                    .map(name -> new String(name, StandardCharsets.UTF_8))
                    .toList();
            return Store.NamePage.of(names, NameRange.cursor(page));
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    @Override
    public void ring(Collection<Documents.Call> calls) {
        if (source.dialect() == Dialect.POSTGRESQL && source.settings().bell()) {
            try {
                PostgresBell.ring(connection, calls);
            } catch (SQLException e) {
                throw failure(e);
            }
        }
    }

    @Override
    public boolean sweep() {
        return sweepTurn.take(this) && delete(SWEPT) == SWEPT;
    }

    /** Refuses a server that is read-only still: what can be read there would look as if it were back. */
    void checkWritable() {
        try {
            delete(0);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Deletes rows that may be forgotten, and returns how many. */
    int delete(int limit) {
        try (PreparedStatement statement = connection.prepareStatement(statements.sweep())) {
            statement.setInt(1, limit);
            return statement.executeUpdate();
        } catch (SQLException e) {
            return nothing(e).size();
        }
    }

    @Override
    public boolean survives(StoreException failure) {
        return failure.getCause() instanceof SQLException cause && Failures.isStopped(cause);
    }

    /** Ends the session, and leaves its connection to the next. */
    void keep() {
        source.keep(connection);
    }

    @Override
    public void close() {
        if (Thread.currentThread() != user) {
            source.abort(connection);
        } else if (refused) {
            source.leave(connection);
        } else {
            source.close(connection);
        }
    }
}
