package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** The moment at which a lock comes and its subscriber leaves. */
class ReactiveCallTest {
    @Test
    void locksThatComeAsTheirSubscriberLeavesAreGivenBack() {
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID())) {
            MultiLease locks = MultiLock.of(belay.lock("x")).tryAcquire().orElseThrow();
            CompletableFuture<Optional<MultiLease>> asked = new CompletableFuture<>();
            AtomicReference<Optional<MultiLease>> got = new AtomicReference<>();
            Disposable subscriber = ReactiveCall.acquired(() -> asked).subscribe(got::set);
            // It depends on the future after the subscriber does, and is called before it.
            var unused = asked.whenComplete((had, error) -> subscriber.dispose());
            asked.complete(Optional.of(locks));
            assertThat(got).hasNullValue();
            await().until(() -> !locks.isHeld());
        }
    }
}
