package io.belay.internal;

import io.belay.BelayOptions;
import io.belay.DistributedReadWriteLock;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.internal.claim.LocalHost;
import io.belay.internal.time.Threads;
import io.belay.memory.MemoryWorld;
import io.belay.servers.Proof;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Readers and writers of one client, and takers of permits, on a store that answers inside the call. Whatever their
 * threads do at once, in the end no reader is beside a writer, nobody waits for what is free, and when all is given back
 * nothing is left. Nothing is returned, since who of several is served first is open.
 */
@SuppressWarnings("WeakerAccess") // Lincheck makes the objects
@Tag("lincheck")
public class SharedGateLincheckTest {
    private static final int PERMITS = 3;
    /** Loaded before Lincheck looks on: it asks the system for the host's name. */
    private static final String HOST = LocalHost.NAME;

    private final MemoryWorld store = new MemoryWorld(GateLincheckTest.STILL::nanos);
    private final Client client = Client.open(
            () -> 1,
            BelayOptions.defaults().withCallbackExecutor(Runnable::run),
            GateLincheckTest.STILL,
            Threads.SYSTEM,
            (number, listener) -> new FaultyStore(store, 1, listener),
            false);
    private final DistributedReadWriteLock lock = client.readWriteLock("x");
    private final DistributedSemaphore semaphore = client.semaphore("s", PERMITS);

    /** What each thread asked for last. */
    private final Asked[] asked = new Asked[8];

    private record Asked(int readers, int writers, int permits, CompletableFuture<Lease> lease) {
        boolean isHeld() {
            return lease.isDone() && !lease.isCancelled() && lease.join().isHeld();
        }
    }

    @Operation
    public void read(@Param(gen = ThreadIdGen.class) int thread) {
        ask(thread, new Asked(1, 0, 0, lock.readLock().acquireAsync()));
    }

    @Operation
    public void write(@Param(gen = ThreadIdGen.class) int thread) {
        ask(thread, new Asked(0, 1, 0, lock.writeLock().acquireAsync()));
    }

    @Operation
    public void takeTwoPermits(@Param(gen = ThreadIdGen.class) int thread) {
        ask(thread, new Asked(0, 0, 2, semaphore.permits(2).acquireAsync()));
    }

    /** Gives back what the thread has, or waits for no longer. */
    @Operation
    public void end(@Param(gen = ThreadIdGen.class) int thread) {
        if (asked[thread] != null) {
            end(asked[thread]);
        }
    }

    private void ask(int thread, Asked what) {
        end(thread);
        asked[thread] = what;
    }

    private static void end(Asked one) {
        if (!one.lease().cancel(true) && !one.lease().isCancelled()) {
            one.lease().join().release();
        }
    }

    @Validate
    public void nobodyIsWrongAndNothingIsLeft() {
        List<Asked> all =
                new ArrayList<>(Stream.of(asked).filter(Objects::nonNull).toList());
        long live = all.stream().filter(one -> !one.lease().isCancelled()).count();
        check(claims("x") + claims("s") <= live, "claims for nobody");
        while (!all.isEmpty()) {
            int readers =
                    all.stream().filter(Asked::isHeld).mapToInt(Asked::readers).sum();
            int writers =
                    all.stream().filter(Asked::isHeld).mapToInt(Asked::writers).sum();
            int permits =
                    all.stream().filter(Asked::isHeld).mapToInt(Asked::permits).sum();
            check(writers == 0 || (writers == 1 && readers == 0), readers + " readers beside " + writers + " writers");
            check(permits <= PERMITS, permits + " permits held");
            for (Asked one : all) {
                if (!one.lease().isDone()) {
                    check(one.permits() > 0 ? permits > 0 : readers + writers > 0, "waits for what is free: " + one);
                }
            }
            Asked done =
                    all.stream().filter(one -> one.lease().isDone()).findFirst().orElseThrow();
            end(done);
            all.remove(done);
        }
        check(TestWorld.left(client) == 0, "left behind: " + TestWorld.left(client));
        check(claims("x") + claims("s") == 0, "claims left behind");
    }

    private int claims(String name) {
        return store.inspect(name).resource().map(r -> r.claims().size()).orElse(0);
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }

    @Test
    void nothingGoesWrongUnderStress() {
        Lincheck.stress()
                .iterations(Proof.times(3, 8))
                .invocationsPerIteration(150)
                .threads(3)
                .actorsBefore(0)
                .actorsPerThread(3)
                .actorsAfter(0)
                .check(SharedGateLincheckTest.class);
    }
}
