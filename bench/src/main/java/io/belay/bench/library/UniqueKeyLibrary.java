package io.belay.bench.library;

import com.zaxxer.hikari.HikariDataSource;
import io.belay.bench.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The lock of textbooks: a row with a unique key, inserted to lock and deleted to unlock.
 *
 * @param on the database
 */
record UniqueKeyLibrary(Store on) implements Library {
    private static final long PAUSE_MILLIS = 5;

    @Override
    public String name() {
        return "textbook-unique-key";
    }

    @Override
    public String store() {
        return on.title();
    }

    @Override
    public String settings() {
        return "By hand: a row with a unique key, INSERT to lock and DELETE to unlock, each a transaction of its own, over"
                + " HikariCP (" + Pools.CONNECTIONS + " connections, as it comes); a waiter tries again every "
                + PAUSE_MILLIS + " ms. No lease: whoever dies holds it for ever.";
    }

    @Override
    public Locks open(Site site) {
        HikariDataSource source = Pools.open(site.server().toString(), Pools.CONNECTIONS);
        return new Locks() {
            @Override
            public Mutex mutex(String name) {
                return new UniqueKeyMutex(source, name);
            }

            @Override
            public void close() {
                source.close();
            }
        };
    }

    private record UniqueKeyMutex(HikariDataSource source, String name) implements TryMutex, Held {
        @Override
        public Held acquire() throws InterruptedException {
            while (tryAcquire() == null) {
                Thread.sleep(PAUSE_MILLIS);
            }
            return this;
        }

        @Override
        public @Nullable Held tryAcquire() {
            return run("INSERT INTO textbook_lock (name) VALUES (?)") ? this : null;
        }

        @Override
        public void release() {
            while (!run("DELETE FROM textbook_lock WHERE name = ?")) {
                Thread.onSpinWait(); // a deadlock with one that wants to insert: the database has taken this one back
            }
        }

        /** Returns true, as nothing tells who holds the lock. */
        @Override
        public boolean isHeld() {
            return true;
        }

        /** Does a statement; returns false if the database refused it because of another holder or a deadlock. */
        private boolean run(String sql) {
            try (Connection connection = source.getConnection();
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, name);
                statement.executeUpdate();
                return true;
            } catch (SQLException e) {
                // 23: the key is there already; 40: a deadlock.
                if (e.getSQLState() != null && e.getSQLState().matches("(23|40).*")) {
                    return false;
                }
                throw new IllegalStateException(e);
            }
        }
    }
}
