package io.belay.trials.client;

import io.belay.trials.history.Event.Type;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The guard that holds: one transaction, which raises the highest token before it reads. */
final class FencedTable implements Guard {
    private final GuardedDatabase database;

    FencedTable(GuardedDatabase database) {
        this.database = database;
    }

    @Override
    public void increment(Holding holding) throws SQLException {
        database.execute("BEGIN IMMEDIATE");
        boolean open = true;
        try {
            if (!raise(holding)) {
                Guard.told(holding, Type.GUARDED_REFUSED, 0);
                return;
            }
            long value = database.read(holding.name()) + 1;
            holding.add(Type.GUARDED_WRITE, System.nanoTime(), value);
            database.write(holding.name(), value);
            database.execute("COMMIT");
            open = false;
            Guard.told(holding, Type.GUARDED_WRITTEN, value);
        } finally {
            if (open) {
                database.execute("ROLLBACK");
            }
        }
    }

    private boolean raise(Holding holding) throws SQLException {
        try (PreparedStatement raise =
                database.prepare("UPDATE belay_fence SET token = ?1 WHERE name = ?2 AND token <= ?1")) {
            raise.setLong(1, holding.token());
            raise.setString(2, holding.name());
            return raise.executeUpdate() == 1;
        }
    }
}
