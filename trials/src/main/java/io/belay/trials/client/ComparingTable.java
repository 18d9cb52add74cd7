package io.belay.trials.client;

import io.belay.trials.history.Event.Type;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A guard as it is often written: it reads, works, and compares the token only when it writes. */
final class ComparingTable implements Guard {
    private static final int WORK_MILLIS = 400;

    private final GuardedDatabase database;
    private long value;

    ComparingTable(GuardedDatabase database) {
        this.database = database;
    }

    @Override
    public void begin(Holding holding) throws SQLException, InterruptedException {
        value = database.read(holding.name()) + 1;
        Thread.sleep(WORK_MILLIS);
    }

    @Override
    public void increment(Holding holding) throws SQLException {
        holding.add(Type.GUARDED_WRITE, System.nanoTime(), value);
        database.execute("BEGIN IMMEDIATE");
        boolean accepted = raise(holding);
        if (accepted) {
            database.write(holding.name(), value);
        }
        database.execute("COMMIT");
        holding.add(accepted ? Type.GUARDED_WRITTEN : Type.GUARDED_REFUSED, System.nanoTime(), value);
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
