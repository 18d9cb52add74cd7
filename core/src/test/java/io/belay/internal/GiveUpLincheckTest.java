package io.belay.internal;

import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.internal.gate.Hold;
import io.belay.internal.primitive.Lock;
import io.belay.internal.time.Threads;
import io.belay.memory.MemoryWorld;
import io.belay.servers.Proof;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads that give up their wait at a gate, by cancelling or by a time-out, while others come and go: nobody is ever
 * inside with another, a grant that came too late is given back, and nothing is left behind. Under stress only: to check
 * schedules one by one takes a minute here, since futures and timers have so many steps.
 */
@Tag("lincheck")
public class GiveUpLincheckTest {
    private final MemoryWorld store = new MemoryWorld(() -> GateLincheckTest.STILL.nanos());
    private final Client client = Client.open(
            () -> 1,
            // The one timer that looks for slow waits stays for a moment after the last wait.
            BelayOptions.defaults()
                    .withCallbackExecutor(Runnable::run)
                    .withSlowWait(Duration.ZERO)
                    .withDeadlockCheck(Duration.ZERO),
            GateLincheckTest.STILL,
            Threads.SYSTEM,
            (number, listener) -> new FaultyStore(store, 1, listener),
            false);
    private final Lock lock = (Lock) client.lock("x");
    /** Plain on purpose: the lock has to guard it. */
    private int inside;

    private volatile boolean broken;

    /** Every operation comes to its end, wherever it happens. */
    public static class Sequential {
        public void visit() {}

        public void cancel() {}

        public void timeOut() {}
    }

    @Operation
    public void visit() {
        lock.tryAcquire().ifPresent(this::use);
    }

    @Operation
    public void cancel() {
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        waiting.whenComplete((lease, error) -> {
            if (lease != null) {
                use(lease);
            }
        });
        waiting.cancel(true);
    }

    @Operation
    public void timeOut() {
        CompletableFuture<Optional<Lease>> waiting = lock.tryAcquireAsync(Duration.ZERO);
        waiting.thenAccept(lease -> lease.ifPresent(this::use));
        client.engine().timers.run();
    }

    private void use(Lease lease) {
        inside++;
        broken |= inside != 1;
        inside--;
        ((Hold) lease).discard();
    }

    @Validate
    public void nothingIsLeft() {
        int claims = store.inspect("x").resource().map(r -> r.claims().size()).orElse(0);
        int here = TestWorld.left(client) + client.engine().timers.size();
        if (broken || claims != 0 || here != 0) {
            throw new IllegalStateException("broken " + broken + ", claims " + claims + ", left behind " + here);
        }
    }

    @Test
    void underStress() {
        Lincheck.stress()
                .iterations(Proof.times(3, 8))
                .invocationsPerIteration(400)
                .threads(3)
                .actorsPerThread(2)
                .sequentialSpecification(Sequential.class)
                .check(GiveUpLincheckTest.class);
    }
}
