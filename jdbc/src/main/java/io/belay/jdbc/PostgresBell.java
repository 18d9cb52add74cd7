package io.belay.jdbc;

import io.belay.document.Documents;
import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Collection;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * The calls between clients, by LISTEN and NOTIFY: each client listens to a channel of its own, on a connection that
 * does nothing else. A call only makes it look at the resource, since anybody who may connect may notify.
 */
final class PostgresBell implements Runnable, AutoCloseable {
    private static final Log LOG = Log.of(LogName.STORE);

    private static final int LISTEN_MILLIS = 5_000;
    /** The time that a borrowed connection listens at a stretch, in milliseconds: closing a client waits for that. */
    private static final int BORROWED_MILLIS = 250;

    private static final long CLOSING = 1_000;

    /** The state of a text with a character that the database's encoding has not: a name is otherwise kept in bytes. */
    private static final String UNTRANSLATABLE = "22P05";

    /** What a call begins with whose name is in another form; no name has a control character. */
    private static final String CODED = "\u0001";

    private final Connections source;
    private final String channel;
    private final Documents.Bell bell;
    private final Thread thread;
    private volatile @Nullable Connection connection;
    private int timesReadOnly;
    private volatile boolean closed;

    PostgresBell(Connections source, long client, Documents.Bell bell) {
        this(source, client, bell, work -> new Thread(null, work, "belay-jdbc-listen", 0, false));
    }

    PostgresBell(Connections source, long client, Documents.Bell bell, ThreadFactory threads) {
        this.source = source;
        this.bell = bell;
        channel = channel(client);
        thread = threads.newThread(this);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader()); // the driver may look there
    }

    private static String channel(long client) {
        return "belay_" + Long.toHexString(client);
    }

    /** Connects, and listens in a thread of its own from then on; returns false if the connections cannot listen. */
    boolean start() {
        try {
            connection = open();
        } catch (SQLFeatureNotSupportedException e) {
            return false;
        } catch (SQLException e) {
            throw source.failures().of(e);
        }
        try {
            thread.start();
        } catch (Throwable e) { // as for want of threads
            hangUp();
            throw e;
        }
        return true;
    }

    private Connection open() throws SQLException {
        timesReadOnly = source.failures().timesReadOnly();
        Connection opened = source.open();
        try {
            if (!PostgresDriver.isSeen(opened)) {
                throw new SQLFeatureNotSupportedException("a connection that tells of no calls");
            }
            execute(opened, "LISTEN " + channel);
        } catch (SQLException e) {
            source.leave(opened); // as a standby lets nobody listen: the next one may well lead there, too
            throw e;
        }
        return opened;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                Connection present = connection;
                if (present == null) {
                    connection = open();
                    bell.missed();
                } else {
                    listen(present);
                }
            } catch (Throwable e) {
                failed(e);
            }
        }
        hangUp();
    }

    /** Hangs up: to connect anew takes a pause, so that this is not done again and again at once. Throws nothing. */
    private void failed(Throwable e) {
        try {
            hangUp();
            if (!(e instanceof SQLException || e instanceof StoreException)) {
                LOG.error("A call of another client could not be followed; waiters ask", e);
            } else if (!closed) {
                LOG.debug("Nobody can be heard now; waiters ask", e);
            }
        } catch (Throwable another) {
            // As no memory is left: it goes on, as nobody would listen in its place.
        }
    }

    private void listen(Connection present) throws SQLException {
        PGConnection ears = present.unwrap(PGConnection.class);
        int slice = source.isBorrowed() ? BORROWED_MILLIS : LISTEN_MILLIS;
        for (int waited = 0; waited < LISTEN_MILLIS && !closed; waited += slice) {
            source.failures().checkReadOnlySince(timesReadOnly);
            PGNotification[] heard = ears.getNotifications(slice);
            if (heard != null && heard.length > 0) {
                for (PGNotification call : heard) {
                    bell.rang(name(call.getParameter()));
                }
                return;
            }
        }
        execute(present, "SELECT 1"); // is anybody there?
    }

    static void ring(Connection connection, Collection<Documents.Call> calls) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            for (Documents.Call call : calls) {
                statement.setString(1, channel(call.client()));
                try {
                    ring(statement, call.resource());
                } catch (SQLException e) {
                    if (!UNTRANSLATABLE.equals(e.getSQLState())) {
                        throw e;
                    }
                    ring(statement, CODED + URLEncoder.encode(call.resource(), StandardCharsets.UTF_8));
                }
            }
        }
    }

    private static void ring(PreparedStatement statement, String payload) throws SQLException {
        statement.setString(2, payload);
        statement.execute();
    }

    /** Returns the name that a call is about; if it is not Belay's, whatever it says. */
    private static String name(String payload) {
        if (!payload.startsWith(CODED)) {
            return payload;
        }
        try {
            return URLDecoder.decode(payload.substring(CODED.length()), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return payload;
        }
    }

    /** Ends the connection, if there is one; only the thread that listens calls this, or who could not start it. */
    private void hangUp() {
        Connection present = connection;
        connection = null;
        if (present != null) {
            try {
                if (source.isBorrowed()) {
                    execute(present, "UNLISTEN " + channel);
                }
            } catch (SQLException e) {
                LOG.debug("The connection that listened is of no use any more", e);
            } finally {
                source.close(present);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        if (source.isBorrowed() && ends()) {
            return;
        }
        Connection present = connection;
        if (present != null) {
            source.abort(present);
        }
        thread.interrupt();
    }

    /** Waits a second at most; returns whether the thread has ended, as it soon does unless the server is silent. */
    private boolean ends() {
        try {
            thread.join(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
