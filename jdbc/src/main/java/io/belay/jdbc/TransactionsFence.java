package io.belay.jdbc;

import io.belay.fence.Fence;
import io.belay.fence.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;

/**
 * A {@link SqlFence} in the transactions of one connection.
 *
 * @param fence has the statements
 * @param connection by which they are run, and what they guard is written
 */
record TransactionsFence(SqlFence fence, Connection connection) implements Fence<Connection, SQLException> {
    @Override
    public Connection raiseTo(Collection<FencingToken> tokens) throws SQLException {
        for (FencingToken token : FencingToken.inOrder(tokens)) {
            fence.raise(connection, token.lock(), token.value());
        }
        return connection;
    }

    @Override
    public void reset(String lock) throws SQLException {
        fence.reset(connection, lock);
    }
}
