package io.belay.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.BusyHandler;
import org.sqlite.SQLiteConnection;

/**
 * The backoff of a connection to SQLite while somebody else writes to the file: short pauses. SQLite's own pauses grow
 * to 100 ms, so that whoever has waited for long is the last to come, and may wait for seconds where many write.
 */
final class SqliteBackoff extends BusyHandler {
    private static final long SHORTEST = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int DOUBLINGS = 5;

    private final long timeout;
    private long until;

    SqliteBackoff(Duration timeout) {
        this.timeout = timeout.toNanos();
    }

    /** Sets a connection's backoff; the caller does so after {@code PRAGMA busy_timeout}, which sets SQLite's own. */
    static void set(Connection connection, Duration timeout) throws SQLException {
        if (connection instanceof SQLiteConnection) {
            setHandler(connection, new SqliteBackoff(timeout));
        }
    }

    @Override
    protected int callback(int pauses) {
        long now = System.nanoTime();
        if (pauses == 0) {
            until = now + timeout;
        }
        if (until - now <= 0 || Thread.currentThread().isInterrupted()) {
            return 0;
        }
        long most = Math.min(LONGEST, SHORTEST << (1 + Math.min(DOUBLINGS, pauses)));
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST, most));
        return 1;
    }
}
