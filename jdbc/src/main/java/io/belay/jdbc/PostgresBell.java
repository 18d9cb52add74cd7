package io.belay.jdbc;

import io.belay.document.Documents;
import io.belay.spi.Log;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Clients call each other by LISTEN and NOTIFY: each listens on a channel of its own, on a connection that does nothing
 * else. What is heard only makes it look, since anybody who may connect may notify.
 */
final class PostgresBell implements Runnable, AutoCloseable {
    private static final Log LOG = Log.of(PostgresBell.class);

    private static final int LISTEN_MILLIS = 5_000;
    private static final long LONGEST_PAUSE = 2_000;

    private final Connections source;
    private final String channel;
    private final Documents.Bell bell;
    private final Thread thread;
    private volatile @Nullable Connection connection;
    private volatile boolean closed;

    PostgresBell(Connections source, long client, Documents.Bell bell) {
        this.source = source;
        this.bell = bell;
        channel = channel(client);
        thread = new Thread(this, "belay-jdbc-listen");
        thread.setDaemon(true);
    }

    private static String channel(long client) {
        return "belay_" + Long.toHexString(client);
    }

    /** Connects, and listens in a thread of its own from then on. */
    void start() {
        try {
            connection = open();
        } catch (SQLException e) {
            throw source.failures().of(e);
        }
        thread.start();
    }

    private Connection open() throws SQLException {
        Connection opened = source.open();
        try (Statement statement = opened.createStatement()) {
            statement.execute("LISTEN " + channel);
        } catch (SQLException e) {
            source.close(opened);
            throw e;
        }
        return opened;
    }

    @Override
    public void run() {
        long pause = 0;
        while (!closed) {
            try {
                Connection present = connection;
                if (present == null) {
                    TimeUnit.MILLISECONDS.sleep(pause);
                    pause = Math.min(LONGEST_PAUSE, pause * 2 + 50);
                    connection = open();
                    bell.missed();
                } else {
                    listen(present);
                    pause = 0;
                }
            } catch (SQLException e) {
                if (!closed) {
                    LOG.debug("Nobody can be heard now; waiters ask", e);
                }
                hangUp();
            } catch (InterruptedException e) {
                return; // nobody but this class has the thread
            } catch (RuntimeException e) {
                LOG.error("A call of another client could not be followed; waiters ask", e);
            }
        }
    }

    private void listen(Connection present) throws SQLException {
        PGNotification[] heard = present.unwrap(PGConnection.class).getNotifications(LISTEN_MILLIS);
        if (heard == null || heard.length == 0) {
            try (Statement statement = present.createStatement()) {
                statement.execute("SELECT 1"); // is anybody there?
            }
            return;
        }
        for (PGNotification call : heard) {
            bell.rang(call.getParameter());
        }
    }

    static void ring(Connection connection, Collection<Documents.Call> calls) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            for (Documents.Call call : calls) {
                statement.setString(1, channel(call.client()));
                statement.setString(2, call.resource());
                statement.execute();
            }
        }
    }

    private void hangUp() {
        Connection present = connection;
        connection = null;
        if (present != null) {
            source.close(present);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        Connection present = connection;
        if (present != null) {
            try {
                present.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("The connection that listened did not end well", e);
            }
        }
        hangUp();
    }
}
