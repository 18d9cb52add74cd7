package io.belay.trials.client;

import io.belay.trials.history.Event.Type;
import java.sql.SQLException;

/** Changes a counter under a token. */
interface Guard {
    /** The hold has begun. */
    default void begin(Holding holding) throws SQLException, InterruptedException {}

    /** Adds one to the counter of the hold's lock and writes down what came of it. */
    void increment(Holding holding) throws SQLException, InterruptedException;

    /** Writes down how a change went. */
    static void told(Holding holding, Type type, long value) {
        holding.add(type, System.nanoTime(), value);
    }
}
