package io.belay.tck;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store without an engine before it, for tests that send requests one by one. */
abstract class BareStore extends OneStore {
    private final List<Requester> requesters = new ArrayList<>();

    @Override
    void ask() {
        requesters.get(0).resource("nobody's");
    }

    @BeforeEach
    void needQueues() {
        assumeTrue(spec.queues(), "the store keeps no queue");
    }

    @AfterEach
    void closeStore() {
        try (StoreSpec opened = spec;
                Premise taken = premise) {
            requesters.forEach(Requester::close);
            requesters.clear();
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
