package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the page on the SQL store says of H2 in a file: it may undo what another transaction has committed. Fails with a version
 * that does so no more: then the page and what the doctor says of it can go.
 */
class H2RollbackTest {
    private static final CountDownLatch RESTORED = new CountDownLatch(1);
    private static final CountDownLatch GO_ON = new CountDownLatch(1);
    private static volatile boolean pauses;

    /** Has a rollback pause once it has put a row back. */
    public static final class Latch implements Trigger {
        @Override
        public void fire(Connection connection, Object @Nullable [] before, Object @Nullable [] after)
                throws SQLException {
            if (pauses) {
                pauses = false;
                RESTORED.countDown();
                try {
                    GO_ON.await(Pace.seconds(), TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new SQLException(e);
                }
            }
        }
    }

    @Test
    void aRollbackUndoesWhatAnotherTransactionHasCommittedMeanwhile(@TempDir Path directory) throws Exception {
        String url = "jdbc:h2:file:" + directory.resolve("shop");
        try (Connection one = DriverManager.getConnection(url);
                Connection other = DriverManager.getConnection(url)) {
            execute(other, "CREATE TABLE fence (id INT PRIMARY KEY, token BIGINT)");
            execute(other, "INSERT INTO fence VALUES (1, 100)");
            execute(
                    other,
                    "CREATE TRIGGER latch AFTER UPDATE, ROLLBACK ON fence FOR EACH ROW CALL '" + Latch.class.getName()
                            + "'");
            one.setAutoCommit(false);
            execute(one, "UPDATE fence SET token = 150");
            pauses = true;
            CompletableFuture<Void> rollback = CompletableFuture.runAsync(() -> {
                try {
                    one.rollback();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(RESTORED.await(Pace.seconds(), TimeUnit.SECONDS)).isTrue();
            execute(other, "UPDATE fence SET token = 189");
            assertThat(token(other)).isEqualTo(189);
            execute(other, "CHECKPOINT"); // as H2 does by itself now and then
            GO_ON.countDown();
            rollback.get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(token(other)).isEqualTo(100);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long token(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT token FROM fence")) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }
}
