package io.belay.spring;

import io.belay.Lease;
import io.belay.fence.FencingToken;
import io.belay.fence.StaleTokenException;
import io.belay.jdbc.SqlFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A {@link SqlFence} in the database of a {@link DataSource}. Transactions that are not of this source, or of a
 * {@link LazyConnectionDataSourceProxy} or a {@link TransactionAwareDataSourceProxy} around it or under it, are left alone, such as
 * those of another database or of a message broker, also inside of one that is.
 */
public final class JdbcTransactionFence implements TransactionFence {
    /** How long a transaction without a timeout of its own waits for fences, all together, where nobody says otherwise. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    /** The wait for a fence when the time for all is over: zero would be for as long as the database waits. */
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

    /** The proxies that lead to the same tables; one of another class may have another user, or set a schema. */
    private static final Set<Class<?>> TRANSPARENT =
            Set.of(LazyConnectionDataSourceProxy.class, TransactionAwareDataSourceProxy.class);

    private final DataSource dataSource;
    private final SqlFence fence;
    private final Duration longestWait;
    private final Predicate<Connection> condition;

    /** What transactions of the thread have raised that have not ended, also those that are suspended. */
    private final ThreadLocal<Map<Key, Raised>> raised = ThreadLocal.withInitial(HashMap::new);

    /** Makes a guard of what is written by the transactions of a data source, which waits for {@link #LONGEST_WAIT}. */
    public JdbcTransactionFence(DataSource dataSource, SqlFence fence) {
        this(dataSource, fence, LONGEST_WAIT);
    }

    /**
     * Makes a guard of what is written by the transactions of a data source.
     *
     * @param longestWait how long a transaction without a timeout of its own waits for the fences that others have raised,
     *     for all of them together, or 0 for as long as the database waits; that wait is what keeps it from being beside one whose
     *     commit is slow
     */
    public JdbcTransactionFence(DataSource dataSource, SqlFence fence, Duration longestWait) {
        this(dataSource, fence, longestWait, connection -> true);
    }

    private JdbcTransactionFence(
            DataSource dataSource, SqlFence fence, Duration longestWait, Predicate<Connection> condition) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.fence = Objects.requireNonNull(fence, "fence");
        this.longestWait = Objects.requireNonNull(longestWait, "longestWait");
        this.condition = condition;
        if (longestWait.isNegative()) {
            throw new IllegalArgumentException("a wait is not negative: " + longestWait);
        }
    }

    /**
     * Returns a guard that is raised in those transactions alone that a condition holds for, and those of this one.
     *
     * @param condition asked by the transaction's thread for its connection, before each raise; what it throws rolls back
     */
    public JdbcTransactionFence where(Predicate<Connection> condition) {
        return new JdbcTransactionFence(
                dataSource, fence, longestWait, this.condition.and(Objects.requireNonNull(condition, "condition")));
    }

    /** Returns whether transactions that Spring knows by that source are fenced: it is this guard's, or both lead to one by such proxies. */
    public boolean isOf(DataSource other) {
        Objects.requireNonNull(other, "other");
        return behind(other) == behind(dataSource);
    }

    private static DataSource behind(DataSource given) {
        DataSource behind = TRANSPARENT.contains(given.getClass()) && given instanceof DelegatingDataSource proxy
                ? proxy.getTargetDataSource()
                : null;
        return behind == null ? given : behind(behind);
    }

    /** Returns the source by which Spring knows the connection of the thread's transaction; null if that is of another one. */
    private @Nullable DataSource bound() {
        return isOfTransaction(TransactionSynchronizationManager.getResource(dataSource))
                ? dataSource
                : TransactionSynchronizationManager.getResourceMap().entrySet().stream()
                        .filter(bound -> isOfTransaction(bound.getValue()))
                        .<@Nullable DataSource>map(bound -> bound.getKey() instanceof DataSource its ? its : null)
                        .filter(its -> its != null && isOf(its))
                        .findFirst()
                        .orElse(null);
    }

    /**
     * Returns whether a resource is the connection of the thread's transaction. That of an outer one stays bound to the thread
     * where another manager begins one inside of it, and there may be one that is in no transaction.
     */
    private static boolean isOfTransaction(@Nullable Object bound) {
        return bound instanceof ConnectionHolder
                && (!(TransactionGuard.current() instanceof DefaultTransactionStatus present) || isOf(present, bound));
    }

    private static boolean isOf(TransactionExecution transaction, Object holder) {
        return transaction instanceof DefaultTransactionStatus its
                && its.hasTransaction()
                && its.getTransaction() instanceof JdbcTransactionObjectSupport jdbc
                && jdbc.hasConnectionHolder()
                && jdbc.getConnectionHolder() == holder;
    }

    /** Returns how many parts of a transaction have begun and not ended: itself, and those that are nested by savepoints. */
    private static long parts(ConnectionHolder holder) {
        return TransactionGuard.open()
                .filter(transaction -> isOf(transaction, holder))
                .count();
    }

    /**
     * Raises the fence, unless an outer transaction of this thread has its row, raised to that token: that keeps others out, and
     * this one would wait for it for ever. The outer one is asked, by raising it there once more. Blocks while another
     * transaction has raised it and not ended, for what is left of this one's timeout.
     *
     * @throws StaleTokenException if a later holder has been there
     * @throws DataAccessException as the database says: one that is transient, such as that the wait took too long, may be tried
     *     again in a new transaction
     */
    @Override
    public void raise(List<Lease> leases) {
        Objects.requireNonNull(leases, "leases");
        DataSource source = bound();
        if (source == null
                || !(TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder holder)) {
            return;
        }
        long begun = System.nanoTime();
        List<Lease> fresh =
                leases.stream().filter(lease -> !isRaised(lease, holder, begun)).toList();
        if (fresh.isEmpty()) {
            forgetIfEmpty();
            return; // not even the transaction's time matters then
        }
        Connection connection = DataSourceUtils.getConnection(source);
        try {
            if (!condition.test(connection)) {
                return;
            }
            raise(connection, fresh, holder, begun);
            remember(fresh, holder);
        } catch (SQLException e) {
            throw translated(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
            forgetIfEmpty();
        }
    }

    /**
     * Returns whether a transaction of this thread, that of the holder or an outer one, has the row of a fence and has raised it to the
     * lease's token. An outer one may have lost it: to a statement that failed on PostgreSQL, to a deadlock on MySQL, with its
     * connection, or by a savepoint, which gives the row back on PostgreSQL and keeps it locked on MySQL.
     */
    private boolean isRaised(Lease lease, ConnectionHolder holder, long begun) {
        Raised before = raised.get().get(new Key(lease.name(), lease.token()));
        if (before == null || before.by == holder) {
            return before != null && !before.undone;
        }
        before.by.requested();
        try {
            raise(before.by.getConnection(), List.of(lease), holder, begun); // waits for nobody where it has the row
            before.again();
            return true;
        } catch (StaleTokenException e) {
            throw e;
        } catch (SQLException | RuntimeException e) {
            if (!before.isKept(e)) {
                before.forget();
                return false;
            }
            return true;
        } finally {
            before.by.released();
        }
    }

    private void forgetIfEmpty() {
        if (raised.get().isEmpty()) {
            raised.remove();
        }
    }

    /** Raises one after the other, in the order of their names: what was waited for one is not left for the next. */
    private void raise(Connection connection, List<Lease> leases, ConnectionHolder holder, long begun)
            throws SQLException {
        for (FencingToken token : FencingToken.allOf(leases)) {
            List<Lease> next = leases.stream()
                    .filter(lease -> lease.name().equals(token.lock()))
                    .toList();
            fence.raise(connection, next, wait(holder, Duration.ofNanos(System.nanoTime() - begun)));
        }
    }

    private Duration wait(ConnectionHolder holder, Duration waited) {
        try {
            if (holder.hasTimeout()) {
                return Duration.ofMillis(holder.getTimeToLiveInMillis());
            } else if (longestWait.isZero()) {
                return longestWait; // for as long as the database waits
            }
            Duration left = longestWait.minus(waited);
            return left.compareTo(SHORTEST_WAIT) > 0 ? left : SHORTEST_WAIT;
        } catch (TransactionTimedOutException e) {
            throw new QueryTimeoutException(
                    "The transaction was over its time before it raised the fence of its locks", e);
        }
    }

    /** Notes what the present transaction has raised. */
    private void remember(List<Lease> leases, ConnectionHolder by) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            leases.forEach(lease -> TransactionSynchronizationManager.registerSynchronization(new Raised(lease, by)));
        }
    }

    private record Key(String lock, long token) {}

    /** What a transaction has raised, until it has ended. */
    private final class Raised implements TransactionSynchronization {
        private final Key key;
        private final ConnectionHolder by;
        /** The savepoints that were made since. */
        private final Set<Object> later = new HashSet<>();
        /** The parts of the transaction that it was raised in. */
        private long parts;
        /** Whether it is undone to a savepoint that was there before. */
        private boolean undone;

        Raised(Lease lease, ConnectionHolder by) {
            key = new Key(lease.name(), lease.token());
            this.by = by;
            parts = parts(by);
            raised.get().put(key, this);
        }

        /** Notes that it was raised once more just now. */
        void again() {
            if (undone) {
                parts = parts(by);
                undone = false;
                later.clear();
            }
        }

        /**
         * Returns whether the row is there though its transaction takes no statement now: as MySQL's driver reads a result from the
         * connection, or as one has failed on PostgreSQL that is undone with the savepoint of a part which has begun since.
         */
        boolean isKept(Exception failure) {
            return String.valueOf(failure.getMessage()).startsWith("Streaming result set ")
                    || (failure instanceof SQLException its && "25P02".equals(its.getSQLState()) && parts(by) > parts);
        }

        void forget() {
            raised.get().remove(key, this);
            forgetIfEmpty();
        }

        /** Returns a place before the others, which may begin transactions when this one has ended. */
        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void savepoint(Object savepoint) {
            later.add(savepoint);
        }

        @Override
        public void savepointRollback(Object savepoint) {
            undone |= !later.contains(savepoint);
        }

        /** The row is free from here on, and what is begun before the completion has to raise the fence itself. */
        @Override
        public void afterCommit() {
            forget();
        }

        @Override
        public void afterCompletion(int status) {
            forget();
        }
    }

    private static DataAccessException translated(SQLException failure) {
        String task = "raising the fence of locks";
        DataAccessException known = new SQLExceptionSubclassTranslator().translate(task, null, failure);
        return known != null ? known : new UncategorizedSQLException(task, null, failure);
    }
}
