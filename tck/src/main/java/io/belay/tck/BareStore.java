package io.belay.tck;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A store without an engine before it, for tests that send requests one by one. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
abstract class BareStore {
    private final List<Requester> requesters = new ArrayList<>();

    StoreSpec spec;

    /** Opens a store that this test has to itself. */
    abstract StoreSpec open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        spec = open();
        assumeTrue(spec.queues(), "the store keeps no queue");
    }

    @AfterEach
    void closeStore() {
        try (StoreSpec opened = spec) {
            requesters.forEach(Requester::close);
        }
    }

    Requester requester(long number) {
        Requester opened = new Requester(spec, number);
        requesters.add(opened);
        return opened;
    }

    ConditionFactory eventually() {
        return await().atMost(spec.patience()).pollInterval(Duration.ofMillis(5));
    }
}
