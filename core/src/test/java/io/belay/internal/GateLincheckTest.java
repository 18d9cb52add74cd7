package io.belay.internal;

import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.internal.claim.LocalHost;
import io.belay.internal.primitive.Lock;
import io.belay.internal.time.Threads;
import io.belay.internal.time.Time;
import io.belay.memory.MemoryWorld;
import io.belay.servers.Proof;
import java.util.Optional;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads of one client at one gate, on a store that answers inside the call: whatever they do at once can be told as
 * one thing after the other, and leaves nothing behind. No clock moves and no keeper runs.
 */
@SuppressWarnings("WeakerAccess") // Lincheck makes the objects
@Tag("lincheck")
public class GateLincheckTest {
    private static final long NANOS = 1_000_000_000;
    /** Loaded before Lincheck looks on: it asks the system for the host's name. */
    private static final String HOST = LocalHost.NAME;

    static final Time STILL = new Time() {
        @Override
        public long nanos() {
            return NANOS;
        }

        @Override
        public long wallMillis() {
            return NANOS;
        }
    };

    private final MemoryWorld store = new MemoryWorld(() -> NANOS);
    private final Client client = Client.open(
            () -> 1,
            BelayOptions.defaults().withCallbackExecutor(Runnable::run),
            STILL,
            Threads.SYSTEM,
            (number, listener) -> new FaultyStore(store, 1, listener),
            false);
    private final Lock lock = (Lock) client.lock("x");
    private final Lease[] leases = new Lease[8];

    /** What the lock is to look like from outside. */
    public static class Sequential {
        private int holder = -1;

        public boolean tryAcquire(int thread) {
            boolean had = holder < 0;
            holder = had ? thread : holder;
            return had;
        }

        public void release(int thread) {
            holder = holder == thread ? -1 : holder;
        }
    }

    @Operation
    public boolean tryAcquire(@Param(gen = ThreadIdGen.class) int thread) {
        Optional<Lease> had = lock.tryAcquire();
        had.ifPresent(lease -> leases[thread] = lease);
        return had.isPresent();
    }

    /** Ends the lease that this thread had last, also if it is over already. */
    @Operation
    public void release(@Param(gen = ThreadIdGen.class) int thread) {
        if (leases[thread] != null) {
            leases[thread].release();
        }
    }

    @Validate
    public void oneClaimAtMostAndNoneUnlessHeld() {
        long held = Stream.of(leases).filter(l -> l != null && l.isHeld()).count();
        int claims = store.inspect("x").resource().map(r -> r.claims().size()).orElse(0);
        check(held <= 1 && claims == held, "claims " + claims + ", held " + held);
        // The gate that holds and its claim; or the claim alone, where a try had a gate to itself.
        int left = TestWorld.left(client);
        check(left == 2 * held || left == held, "left behind: " + left);
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }

    @Test
    void tryAndReleaseAreLinearizableUnderStress() {
        Lincheck.stress()
                .iterations(Proof.times(3, 8))
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(3)
                .sequentialSpecification(Sequential.class)
                .check(GateLincheckTest.class);
    }

    @Test
    @Tag("long")
    void tryAndReleaseAreLinearizableInManySchedules() {
        Lincheck.schedules()
                .iterations(3)
                .invocationsPerIteration(40)
                .threads(2)
                .actorsPerThread(2)
                .sequentialSpecification(Sequential.class)
                .check(GateLincheckTest.class);
    }
}
