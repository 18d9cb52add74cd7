package io.belay.spring;

import io.belay.Lease;
import io.belay.jdbc.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A {@link Fence} in the database of a {@link DataSource}. Transactions that are not of this database, such as those of another
 * or of a message broker, are left alone.
 */
public final class JdbcTransactionFence implements TransactionFence {
    private final DataSource dataSource;
    private final Fence fence;

    /** Makes a guard of what is written by the transactions of a data source. */
    public JdbcTransactionFence(DataSource dataSource, Fence fence) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.fence = Objects.requireNonNull(fence, "fence");
    }

    /**
     * Raises the fence. Blocks while another transaction has raised it and not ended.
     *
     * @throws io.belay.jdbc.StaleTokenException if a later holder has been there
     * @throws DataAccessException as the database says: one that is transient may be tried again in a new transaction
     */
    @Override
    public void raise(List<Lease> leases) {
        Objects.requireNonNull(leases, "leases");
        if (!TransactionSynchronizationManager.hasResource(dataSource)) {
            return;
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            fence.raise(connection, leases);
        } catch (SQLException e) {
            throw translated(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private static DataAccessException translated(SQLException failure) {
        String task = "raising the fence of locks";
        DataAccessException known = new SQLExceptionSubclassTranslator().translate(task, null, failure);
        return known != null ? known : new UncategorizedSQLException(task, null, failure);
    }
}
