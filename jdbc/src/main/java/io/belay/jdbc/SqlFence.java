package io.belay.jdbc;

import io.belay.Lease;
import io.belay.StoreMisconfiguredException;
import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;

/**
 * The guard of what a SQL database keeps: a table that holds the highest fencing token that has been used of each
 * lock, and statements that refuse lower ones. The lock itself may be in any store. {@link #on} is the same as a
 * {@link Fence}, for those who know no database.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * fence.raise(connection, lease);          // first of all
 * int left = readStock(connection);
 * writeStock(connection, left - 1);
 * connection.commit();
 * }</pre>
 *
 * <p>{@link #raise} is to be the first statement of the transaction. It locks the row of the lock in that table until
 * the transaction ends, so that whatever is read and written after it is fenced: a holder whose lease has ended
 * without its noticing is refused if its successor was there before, and if not, its successor waits and then sees
 * what it wrote. What was read <em>before</em> is not fenced.
 *
 * <p>A fence knows PostgreSQL, MySQL, MariaDB, H2 and SQLite. It has statements for Oracle, SQL Server and DB2, too,
 * which were not tried.
 *
 * <p>Tokens of a {@link io.belay.DistributedLock} rise from holder to holder, and so do those of writers of a
 * read-write lock; readers and holders of permits are side by side, and their leases are refused.
 *
 * <p>Thread-safe; a connection is used by the calling thread only. Methods block as the database does, for as long as
 * another transaction has the row. What the database says comes as its {@link SQLException}: after one, roll back. A
 * deadlock or a serialization failure (state 40001, or 40P01) is no refusal: the caller may try the same again in a
 * new transaction. It comes as a {@link SQLTransactionRollbackException} that names the lock.
 */
public final class SqlFence {
    private static final String STANDARD = "belay_fence";
    /** The longest wait that is told to a driver. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1_000_000);

    private static final int SQLITE_BUSY = 5;

    /** MariaDB: the row was changed since the transaction's snapshot. */
    private static final int CHANGED_CODE = 1020;

    private final String table;

    private SqlFence(String table) {
        this.table = table;
    }

    /**
     * Returns the fence in the table {@code belay_fence}, which {@code belay schema --store URL --create} makes unless {@code belay-fence}
     * in that URL names another one: that is {@link #inTable}.
     */
    public static SqlFence standard() {
        return new SqlFence(STANDARD);
    }

    /**
     * Returns the fence in another table.
     *
     * @param table its name, perhaps with a schema and a dot before it
     * @throws IllegalArgumentException if that name holds anything but letters, digits and underscores
     */
    public static SqlFence inTable(String table) {
        Objects.requireNonNull(table, "table");
        if (!Settings.isTable(table)) {
            throw new IllegalArgumentException(
                    "the name of a table must be letters, digits and _, perhaps with a schema and a dot before it");
        }
        return new SqlFence(table);
    }

    /**
     * Returns the fence as it stands in the transactions of a connection. It writes by that connection, until the transaction
     * ends; whatever it does, it does in a transaction that is open. As confined as the connection.
     */
    public Fence<Connection, SQLException> on(Connection connection) {
        return new TransactionsFence(this, Objects.requireNonNull(connection, "connection"));
    }

    /** Does the same as {@link #raise(Connection, String, long)} with a lease's name and token. */
    public void raise(Connection connection, Lease lease) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(lease, "lease");
        FencingToken token = FencingToken.of(lease);
        raise(connection, token.lock(), token.value());
    }

    /**
     * Raises the fences of several locks, in the order of their names: two transactions that raised the same ones in
     * different orders would wait for each other.
     *
     * @param leases one of each lock; of a {@code MultiLock} those that its lease has
     * @throws StaleTokenException if the fence of one of them is at a higher token: roll back
     * @throws IllegalArgumentException if there is none, or two of one lock, or others may hold one of the locks at the same time
     * @throws IllegalStateException if each statement of the connection is committed by itself
     * @throws StoreMisconfiguredException if there is no such table
     */
    public void raise(Connection connection, Collection<? extends Lease> leases) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        for (FencingToken token : FencingToken.allOf(leases)) {
            raise(connection, token.lock(), token.value());
        }
    }

    /**
     * Does the same, and waits no longer than that for each fence which another transaction has raised. That wait is what keeps
     * this transaction from being beside one whose commit is slow: a short one makes it fail where it could have gone on. On
     * PostgreSQL the exception names the sessions that may have raised it; this transaction is over then, with its savepoints.
     *
     * @param longestWait rounded up to seconds; 0 for as long as the database waits
     * @throws SQLTimeoutException if another transaction has raised one of them for longer: roll back, and perhaps try again
     */
    public void raise(Connection connection, Collection<? extends Lease> leases, Duration longestWait)
            throws SQLException {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(longestWait, "longestWait");
        if (longestWait.isNegative()) {
            throw new IllegalArgumentException("a wait is not negative: " + longestWait);
        }
        Duration told = longestWait.compareTo(LONGEST_WAIT) < 0 ? longestWait : LONGEST_WAIT;
        int seconds = (int) told.plusNanos(999_999_999).toSeconds();
        for (FencingToken token : FencingToken.allOf(leases)) {
            checkTransaction(connection, token.lock());
            announce(connection, token.lock(), token.value(), seconds);
        }
    }

    /**
     * Raises the fence of a lock to a token, and keeps its row locked until the transaction ends. The caller does so
     * again in each transaction of the same lease.
     *
     * @param lock the lock's full name, see {@link Lease#name()}
     * @param token of the caller's lease
     * @throws StaleTokenException if the fence is at a higher token: roll back
     * @throws IllegalStateException if each statement of the connection is committed by itself, so that the row would
     *     be free again at once
     * @throws StoreMisconfiguredException if there is no such table
     */
    public void raise(Connection connection, String lock, long token) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(lock, "lock");
        checkTransaction(connection, lock);
        announce(connection, lock, token);
    }

    private static void checkTransaction(Connection connection, String lock) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection commits each statement by itself, so that the fence of '"
                    + lock + "' would guard nothing: setAutoCommit(false) first, or announce()");
        }
    }

    /** Does the same as {@link #announce(Connection, String, long)} with a lease's name and token. */
    public void announce(Connection connection, Lease lease) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(lease, "lease");
        FencingToken token = FencingToken.of(lease);
        announce(connection, token.lock(), token.value());
    }

    /**
     * Announces the tokens of several locks, in the order of their names.
     *
     * @param leases one of each lock; of a {@code MultiLock} those that its lease has
     * @throws StaleTokenException if the fence of one of them is at a higher token; those before it stay announced if
     *     the connection commits each statement by itself
     * @throws IllegalArgumentException if there is none, or two of one lock, or others may hold one of the locks at the same time
     * @throws StoreMisconfiguredException if there is no such table
     */
    public void announce(Connection connection, Collection<? extends Lease> leases) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        for (FencingToken token : FencingToken.allOf(leases)) {
            announce(connection, token.lock(), token.value());
        }
    }

    /**
     * Raises the fence for work that is too long for a transaction: announce, read, work, and then write in a short
     * transaction that begins with {@link #raise}. From the announcement on, the fence refuses earlier holders; if a
     * later holder has announced itself meanwhile, it refuses that last transaction. On a connection whose
     * transactions are begun by SQL, this is {@link #raise} without its check.
     *
     * @param lock the lock's full name, see {@link Lease#name()}
     * @param token of the caller's lease
     * @throws StaleTokenException if the fence is at a higher token
     * @throws StoreMisconfiguredException if there is no such table
     */
    public void announce(Connection connection, String lock, long token) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(lock, "lock");
        announce(connection, lock, token, 0);
    }

    private void announce(Connection connection, String lock, long token, int seconds) throws SQLException {
        FencingToken told = FencingToken.of(lock, token);
        byte[] name = NameBytes.of(lock);
        FenceDialect dialect = FenceDialect.of(connection);
        long begun = System.nanoTime();
        try {
            if (dialect.isRaised(upsert(connection, dialect, seconds, name, token))) {
                return;
            }
            // From here on it stays as it is.
            long present = read(connection, dialect, "lock", name);
            if (present > token) {
                throw StaleTokenException.of(told, present);
            } else if (present < token) {
                throw new SQLException("its row was deleted while it was raised", "40001");
            }
        } catch (SQLException e) {
            Duration waited = Duration.ofNanos(System.nanoTime() - begun);
            throw seconds > 0 && isOverdue(dialect, e, seconds, waited)
                    ? overdue(lock, waited, FenceRaiser.named(connection, dialect, table, name), e)
                    : failed(dialect, lock, e);
        }
    }

    /**
     * Returns whether a statement was given up as it took too long, by a limit of the database's own, too. PostgreSQL and H2 say
     * so by the state alone, and SQLite by a code that it also has for a transaction which no wait would help.
     */
    private static boolean isOverdue(FenceDialect dialect, SQLException e, int seconds, Duration waited) {
        return e instanceof SQLTimeoutException
                || "57014".equals(e.getSQLState())
                || Failures.isLocked(e)
                || (dialect == FenceDialect.SQLITE && e.getErrorCode() == SQLITE_BUSY && waited.toSeconds() >= seconds);
    }

    private static SQLException overdue(String lock, Duration waited, String raiser, SQLException e) {
        return new SQLTimeoutException(
                "the fence of '" + lock + "' was not to be had within " + waited.toMillis() / 100 / 10.0
                        + " s: another transaction" + raiser + " has raised it and has not ended: roll back",
                e.getSQLState(),
                e.getErrorCode(),
                e);
    }

    /**
     * Returns whether no later holder has used the fence, so that it is worth while to go on. The answer is no guard:
     * it may be out of date by the time the caller has it.
     *
     * @throws StoreMisconfiguredException if there is no such table
     */
    public boolean isCurrent(Connection connection, Lease lease) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(lease, "lease");
        return isCurrent(connection, FencingToken.of(lease));
    }

    private boolean isCurrent(Connection connection, FencingToken token) throws SQLException {
        FenceDialect dialect = FenceDialect.of(connection);
        try {
            return read(connection, dialect, "raised", NameBytes.of(token.lock())) <= token.value();
        } catch (SQLException e) {
            throw failed(dialect, token.lock(), e);
        }
    }

    /**
     * Returns whether no later holder of any of these locks has used the fence; as {@link #isCurrent(Connection, Lease)}.
     *
     * @param leases one of each lock; of a {@code MultiLock} those that its lease has
     * @throws IllegalArgumentException if there is none, or two of one lock, or others may hold one of the locks at the same time
     * @throws StoreMisconfiguredException if there is no such table
     */
    public boolean isCurrent(Connection connection, Collection<? extends Lease> leases) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        for (FencingToken token : FencingToken.allOf(leases)) {
            if (!isCurrent(connection, token)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Lets any token in again, for when tokens went back: the lock's store was restored from a backup, or the lock has
     * moved to another store. Nobody may hold the lock then: the fence would not refuse holders of old.
     *
     * @param lock the lock's full name, see {@link Lease#name()}
     * @throws StoreMisconfiguredException if there is no such table
     */
    public void reset(Connection connection, String lock) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(lock, "lock");
        FenceDialect dialect = FenceDialect.of(connection);
        try {
            update(connection, dialect, 0, "reset", NameBytes.of(lock));
        } catch (SQLException e) {
            throw failed(dialect, lock, e);
        }
    }

    /**
     * Raises the token of a row, or makes the row. If another transaction makes it at the same time, a second try
     * finds it, unless the transaction looks at an old snapshot.
     */
    private int upsert(Connection connection, FenceDialect dialect, int seconds, byte[] name, long token)
            throws SQLException {
        try {
            return raise(connection, dialect, seconds, name, token);
        } catch (SQLException e) {
            if (!dialect.isDuplicate(e)) {
                throw e;
            }
        }
        try {
            return raise(connection, dialect, seconds, name, token);
        } catch (SQLException e) {
            if (!dialect.isDuplicate(e)) {
                throw e;
            }
            throw new SQLException("another transaction has made its row", "40001", e);
        }
    }

    private int raise(Connection connection, FenceDialect dialect, int seconds, byte[] name, long token)
            throws SQLException {
        return dialect == FenceDialect.MYSQL
                ? update(connection, dialect, seconds, "raise", name, token, token)
                : update(connection, dialect, seconds, "raise", name, token);
    }

    private int update(Connection connection, FenceDialect dialect, int seconds, String statement, Object... values)
            throws SQLException {
        try (PreparedStatement prepared = prepare(connection, dialect, statement, values)) {
            return seconds > 0 ? updateWithin(seconds, prepared) : prepared.executeUpdate();
        }
    }

    /** Limits the time of a statement, and puts the limit back: of H2 it is the connection's, so that all later ones had it. */
    private static int updateWithin(int seconds, PreparedStatement prepared) throws SQLException {
        int before = prepared.getQueryTimeout();
        try {
            prepared.setQueryTimeout(seconds);
            return prepared.executeUpdate();
        } finally {
            putBack(prepared, before);
        }
    }

    private static void putBack(PreparedStatement prepared, int before) {
        try {
            prepared.setQueryTimeout(before);
        } catch (SQLException e) {
            // The connection is broken, as the update's own failure tells, or the commit.
        }
    }

    /** Returns the token of a row; 0 if there is none. */
    private long read(Connection connection, FenceDialect dialect, String statement, byte[] name) throws SQLException {
        try (PreparedStatement prepared = prepare(connection, dialect, statement, name);
                ResultSet row = prepared.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private PreparedStatement prepare(Connection connection, FenceDialect dialect, String statement, Object... values)
            throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(dialect.sql(statement, table));
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof byte[] bytes) {
                prepared.setBytes(i + 1, bytes);
            } else {
                prepared.setLong(i + 1, (Long) values[i]);
            }
        }
        return prepared;
    }

    private SQLException failed(FenceDialect dialect, String lock, SQLException e) {
        if (dialect.isMissingTable(e)) {
            throw new StoreMisconfiguredException(
                    "the database has no table " + table + " for the fence: " + dialect.toMake(table)
                            + "; where belay-fence= names another table, take SqlFence.inTable",
                    e);
        }
        if (Failures.isOfAnotherType(e)) {
            throw new StoreMisconfiguredException(Schema.withText(table), e);
        }
        boolean changed = dialect == FenceDialect.MYSQL && e.getErrorCode() == CHANGED_CODE;
        if (changed || String.valueOf(e.getSQLState()).startsWith("40")) {
            return new SQLTransactionRollbackException(
                    "the fence of '" + lock + "' was not to be had for another transaction: roll back and try again ("
                            + e.getMessage() + ")",
                    e.getSQLState(),
                    e.getErrorCode(),
                    e);
        }
        return e;
    }
}
