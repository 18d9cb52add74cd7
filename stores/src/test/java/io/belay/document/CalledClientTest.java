package io.belay.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Push;
import io.belay.spi.Request;
import io.belay.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that others call, where no call gets through, and which sends nothing for its claim. */
class CalledClientTest {
    private final MapDocuments documents = new MapDocuments();
    private final List<Push> pushes = new CopyOnWriteArrayList<>();
    private Store store;

    private Push pushed(Duration fixedLease, boolean byForce) {
        documents.called = true;
        store = new DocumentStore("called-client-test", documents, 1, new Store.Listener() {
            @Override
            public void pushed(Push push) {
                pushes.add(push);
            }

            @Override
            public void reconnected() {}
        });
        long lease = fixedLease.toNanos() / 1_000;
        ClaimSpec spec = ClaimSpec.whole(lease).withFixedLease(lease);
        Request enter = Request.Enter.of("x", ClaimId.of(1, 1), spec, 0, Owner.of("client", "host", 1, "thread"));
        assertThat(store.send(enter).toCompletableFuture().join().state()).isEqualTo(Answer.State.GRANTED);
        if (byForce) {
            try (Store other = new DocumentStore("another", documents, 2, new Store.Listener() {
                @Override
                public void pushed(Push push) {}

                @Override
                public void reconnected() {}
            })) {
                other.send(Request.Evict.of("x")).toCompletableFuture().join();
            }
        }
        await().until(() -> !pushes.isEmpty());
        Push push = pushes.get(0);
        assertThat(push.granted()).isFalse();
        return push;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void learnsBeforeTheEndOfAFixedLeaseThatItWasTakenByForce() {
        assertThat(pushed(Duration.ofSeconds(15), true).deadline()).isZero();
    }

    /** What is known of a claim would stay in memory, if nobody ended it. */
    @Test
    void forgetsAClaimThatHasEndedByItself() {
        Push end = pushed(Duration.ofSeconds(1), false);
        assertThat(end.deadline()).isPositive().isLessThanOrEqualTo(end.time());
    }
}
