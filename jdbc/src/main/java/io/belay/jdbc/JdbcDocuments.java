package io.belay.jdbc;

import io.belay.document.Documents;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table in which each resource is a row. */
final class JdbcDocuments implements Documents {
    /** A name that no lock has, as the names that users give are not empty. Its row says whose turn it is to sweep. */
    static final String NOBODYS = "";

    private final Connections source;
    private volatile Statements statements;
    private @Nullable PostgresBell bell;

    JdbcDocuments(Connections source) {
        this.source = source;
        statements = Statements.of(source.dialect(), source.settings());
    }

    @Override
    public JdbcSession connect() {
        return connect(false);
    }

    /** @param first whether to look which table it is that all sessions use from then on */
    private JdbcSession connect(boolean first) {
        int timesReadOnly = source.failures().timesReadOnly(); // by now, so that what comes meanwhile counts
        try {
            Connection connection = source.open();
            if (first) {
                String table = FoundTable.of(connection, source);
                statements =
                        Statements.of(source.dialect(), table, source.settings().fence());
            }
            JdbcSession session = new JdbcSession(connection, source, statements, timesReadOnly);
            if (timesReadOnly > 0) {
                session.checkWritable();
            }
            return session;
        } catch (SQLException e) {
            throw source.failures().of(e);
        }
    }

    @Override
    public boolean isFar() {
        return source.dialect().isServer();
    }

    /** Does all that a session will need, to the row that is no lock's, so that a missing right shows now. */
    void check() {
        JdbcSession session = connect(true);
        try {
            session.checkClock();
            session.read(List.of(NOBODYS));
            session.write(
                    List.of(new Change(NOBODYS, 1, 2, new byte[0], 0), new Change(NOBODYS, 0, 2, new byte[0], 0)), 0);
            session.delete(0);
            session.sweep();
        } catch (RuntimeException e) {
            session.close();
            if (e.getCause() instanceof SQLException cause
                    && String.valueOf(cause.getSQLState()).startsWith("08")) {
                connect().close(); // fails for a better reason where the server is still busy with what was asked
            }
            throw e;
        }
        session.keep();
    }

    @Override
    public boolean listen(long client, Bell listener) {
        if (source.dialect() == Dialect.POSTGRESQL && source.settings().bell()) {
            PostgresBell begun = new PostgresBell(source, client, listener);
            bell = begun.start() ? begun : null;
        }
        source.checked(); // what follows is a worker's connection, and answers requests
        return bell != null;
    }

    @Override
    public void close() {
        if (bell != null) {
            bell.close();
        }
        source.close();
    }
}
