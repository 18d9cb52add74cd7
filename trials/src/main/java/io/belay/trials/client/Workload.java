package io.belay.trials.client;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Random;

/** A task that a thread of a client does, over and over. Not shared among threads. */
interface Workload extends AutoCloseable {
    /** Takes one turn, at the end of which the thread holds no lock any more. */
    void turn(int thread, Random random) throws InterruptedException, IOException, SQLException;

    /** Closes what this workload has opened. */
    @Override
    default void close() {}
}
