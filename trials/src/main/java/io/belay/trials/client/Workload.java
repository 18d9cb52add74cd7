package io.belay.trials.client;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Random;

/** What a thread of a client does, over and over. Not shared among threads. */
interface Workload extends AutoCloseable {
    /** One turn; ends when no lock is held any more. */
    void turn(int thread, Random random) throws InterruptedException, IOException, SQLException;

    /** Closes what it has opened. */
    @Override
    default void close() {}
}
