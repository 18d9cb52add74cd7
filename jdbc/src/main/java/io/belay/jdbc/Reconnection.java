package io.belay.jdbc;

import io.belay.spi.StoreException;
import io.belay.support.Mutex;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the threads of one client connect: one after the other. After a failure the next one waits for a
 * while that doubles from try to try and differs from client to client; threads that come while another one tries
 * share its failure. So it is, too, where connections can be made, and are of no use.
 */
final class Reconnection {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

    private final Mutex lock = new Mutex();
    private final Condition changed = lock.newCondition();
    private boolean connecting;
    private long tries;
    private @Nullable Exception lastFailure;
    private long pause;
    private long notBefore;
    /** The pause after a refusal: it does not end when a connection can be made, but some time after the last refusal. */
    private long refusalPause;

    private long lastRefusal;
    private boolean closed;

    /** A try to make a connection. */
    interface Attempt {
        Connection connect() throws SQLException;
    }

    Connection connect(Attempt attempt) throws SQLException {
        begin();
        Exception failure = new SQLException("an error ended the attempt to connect");
        try {
            Connection connection = attempt.connect();
            failure = null;
            return connection;
        } catch (SQLException | RuntimeException e) {
            failure = e;
            throw e;
        } finally {
            end(failure);
        }
    }

    private void begin() throws SQLException {
        try (var held = lock.hold()) {
            long seen = tries;
            while (connecting || (notBefore != 0 && notBefore - System.nanoTime() > 0)) {
                if (closed) {
                    throw StoreException.unreachable("The store is closed", null);
                }
                await();
                if (tries != seen && lastFailure != null) {
                    share(lastFailure);
                }
                seen = tries;
            }
            connecting = true;
        }
    }

    private void await() throws SQLException {
        try {
            if (connecting) {
                changed.await();
            } else {
                long nanos = changed.awaitNanos(notBefore - System.nanoTime());
                assert nanos <= LONGEST_PAUSE;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted before it could connect", e);
        }
    }

    private static void share(Exception failure) throws SQLException {
        if (failure instanceof SQLException known) {
            throw known;
        }
        throw (RuntimeException) failure;
    }

    private void end(@Nullable Exception failure) {
        try (var held = lock.hold()) {
            connecting = false;
            tries++;
            lastFailure = failure;
            if (failure == null) {
                pause = 0;
            } else {
                postpone();
            }
            changed.signalAll();
        }
    }

    /** Notes that a connection was of no more use, so that the next one is not made at once. */
    void broken() {
        try (var held = lock.hold()) {
            if (notBefore - System.nanoTime() <= 0) {
                postpone();
            }
        }
    }

    /**
     * Notes that a connection is left as its server would not do what was asked: the next one may well lead to the same
     * server. What broke meanwhile is not slowed by that.
     */
    void refused() {
        try (var held = lock.hold()) {
            long now = System.nanoTime();
            if (notBefore - now <= 0) {
                refusalPause = longer(now - lastRefusal > 2 * LONGEST_PAUSE ? 0 : refusalPause);
                postpone(refusalPause);
            }
            lastRefusal = now;
        }
    }

    private void postpone() {
        pause = longer(pause);
        postpone(pause);
    }

    private static long longer(long pause) {
        return Math.min(LONGEST_PAUSE, pause == 0 ? FIRST_PAUSE : 2 * pause);
    }

    private void postpone(long nanos) {
        notBefore = System.nanoTime() + ThreadLocalRandom.current().nextLong(nanos / 2, nanos);
    }

    /** Fails all threads that wait, now and later. */
    void close() {
        try (var held = lock.hold()) {
            closed = true;
            changed.signalAll();
        }
    }
}
