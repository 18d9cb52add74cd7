package io.belay.tck;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A store that a test has to itself, and what the test takes for granted of the machine. Most tests wait more than they work:
 * where JUnit is told to run tests in parallel, they do.
 */
@ExtendWith(Again.class)
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
abstract class OneStore {
    StoreSpec spec;
    Premise premise;
    private int attempt;

    /** Opens the store. */
    abstract StoreSpec open() throws Exception;

    /** Asks it for something, and waits for the answer. */
    abstract void ask();

    @BeforeEach
    void openStore() throws Exception {
        spec = open();
        premise = new Premise(++attempt, spec.longestLease(), this::ask);
    }
}
