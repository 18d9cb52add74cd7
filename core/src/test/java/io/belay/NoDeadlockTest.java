package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Proof;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that hold and wait for long, again and again, and never in a ring: nothing is told. */
@Tag("single")
@Timeout(600)
class NoDeadlockTest {
    private static final int CLIENTS = 3;
    private static final int THREADS = 4;
    private static final int LOCKS = 6;
    private static final Duration CHECK = Duration.ofMillis(10);

    private final int longWaitsAsked = Proof.times(20, 500);
    private final Queue<Deadlock> told = new ConcurrentLinkedQueue<>();
    private final AtomicInteger left = new AtomicInteger(Proof.times(20_000, 1_000_000));
    private final AtomicInteger longWaits = new AtomicInteger();

    private Belay client(String store) {
        BelayListener listener = new BelayListener() {
            @Override
            public void deadlock(Deadlock deadlock) {
                told.add(deadlock);
            }
        };
        return Belay.connect(
                store,
                BelayOptions.defaults()
                        .withDeadlockCheck(CHECK)
                        .withSlowWait(Duration.ZERO)
                        .withListener(listener)
                        .withLockDefaults(LockOptions.defaults().withDeadlock(DeadlockPolicy.THROW)));
    }

    @Test
    void nothingIsToldOfWaitsThatEnd() throws Exception {
        String store = "memory:" + UUID.randomUUID();
        List<Belay> clients = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS * THREADS);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Belay client = client(store);
                clients.add(client);
                for (int j = 0; j < THREADS; j++) {
                    tasks.add(() -> {
                        work(client);
                        return null;
                    });
                }
            }
            for (Future<Void> done : threads.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
            clients.forEach(Belay::close);
        }
        assertThat(told).isEmpty();
    }

    /** Takes three locks, always in the order of their names, until holders waited for long often enough. */
    private void work(Belay client) throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (left.get() > 0 || longWaits.get() < longWaitsAsked) {
            int first = random.nextInt(LOCKS - 2);
            int second = random.nextInt(first + 1, LOCKS - 1);
            try (Lease one = lock(client, first).acquire();
                    Lease other = held(client, second);
                    Lease last = held(client, LOCKS - 1)) {
                assertThat(one.token() + other.token() + last.token()).isPositive();
                // each 400th pauses, and all do where the pauses so far made too few long waits
                if (left.getAndAdd(-3) % 1_200 < 3) {
                    Thread.sleep(3 * CHECK.toMillis());
                }
            }
        }
    }

    private Lease held(Belay client, int lock) throws InterruptedException {
        long begun = System.nanoTime();
        Lease lease = lock(client, lock).acquire();
        if (System.nanoTime() - begun > 2 * CHECK.toNanos()) {
            longWaits.incrementAndGet();
        }
        return lease;
    }

    private static DistributedLock lock(Belay client, int number) {
        return client.lock("lock-" + number);
    }
}
