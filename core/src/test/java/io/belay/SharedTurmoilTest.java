package io.belay;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Readers, writers and takers of permits of two clients that wait, try, give up, go down and up, all at once: never a
 * reader beside a writer, never more permits than there are, everybody is served, and nothing is left behind. The seed is
 * printed; {@code -Dbelay.seed} gives it again.
 */
class SharedTurmoilTest {
    private static final int PERMITS = 5;
    private static final int ROUNDS = 1_500;

    private final long seed = Long.getLong("belay.seed", System.nanoTime());
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();
    private final AtomicInteger permits = new AtomicInteger();
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong upgrades = new AtomicLong();

    private void read(Lease lease) {
        readers.incrementAndGet();
        assertThat(writers).as("writers beside a reader").hasValue(0);
        assertThat(lease.isHeld()).isTrue();
        Thread.onSpinWait();
        assertThat(writers).as("writers beside a reader").hasValue(0);
        readers.decrementAndGet();
        reads.incrementAndGet();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    private void write(Lease lease) {
        alone();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    private void alone() {
        assertThat(writers.incrementAndGet()).isEqualTo(1);
        assertThat(readers).as("readers beside a writer").hasValue(0);
        Thread.onSpinWait();
        assertThat(readers).as("readers beside a writer").hasValue(0);
        writers.decrementAndGet();
        writes.incrementAndGet();
    }

    private void upgrade(DistributedReadWriteLock lock, Lease reader) {
        Optional<Lease> writer = lock.tryUpgrade(reader);
        if (writer.isPresent()) {
            upgrades.incrementAndGet();
            write(writer.get());
        } else {
            read(reader);
        }
    }

    private void downgrade(DistributedReadWriteLock lock, Lease writer) {
        alone();
        read(lock.downgrade(writer));
    }

    private void take(Lease lease, int count) {
        assertThat(permits.addAndGet(count)).isLessThanOrEqualTo(PERMITS);
        Thread.onSpinWait();
        permits.addAndGet(-count);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    private Void act(Belay belay, Random random) throws Exception {
        DistributedReadWriteLock lock = belay.readWriteLock("x");
        DistributedSemaphore semaphore = belay.semaphore("s", PERMITS);
        for (int i = 0; i < ROUNDS; i++) {
            int count = 1 + random.nextInt(PERMITS);
            Duration brief = Duration.ofNanos(random.nextInt(2_000_000));
            switch (random.nextInt(14)) {
                case 0 -> tried(() -> lock.readLock().tryAcquire(), this::read);
                case 1 -> tried(() -> lock.readLock().tryAcquire(brief), this::read);
                case 2 -> lock.readLock().acquireAsync().thenAccept(this::read).get();
                case 3 -> cancel(lock.readLock().acquireAsync(), this::read);
                case 4 -> upgrade(lock, lock.readLock().acquire());
                case 5 -> downgrade(lock, lock.writeLock().acquire());
                case 6 -> tried(() -> lock.writeLock().tryAcquire(brief), this::write);
                case 7 -> cancel(lock.writeLock().acquireAsync(), this::write);
                case 8 -> write(lock.writeLock().acquire());
                case 9 -> take(semaphore.permits(count).acquire(), count);
                case 10 -> tried(() -> semaphore.permits(count).tryAcquire(brief), lease -> take(lease, count));
                case 11 -> cancel(semaphore.permits(count).acquireAsync(), lease -> take(lease, count));
                default -> read(lock.readLock().acquire());
            }
        }
        return null;
    }

    /** A thread that asks the store may be kept from the processor for longer than a try waits for its answer. */
    private static void tried(Callable<Optional<Lease>> attempt, Consumer<Lease> use) throws Exception {
        Optional<Lease> had = Optional.empty();
        try {
            had = attempt.call();
        } catch (StoreUnavailableException e) {
            assertThat(e).hasMessageContaining("did not answer in time");
        }
        had.ifPresent(use);
    }

    private static void cancel(CompletableFuture<Lease> future, Consumer<Lease> use) throws Exception {
        if (!future.cancel(true)) {
            use.accept(future.get());
        }
    }

    @Test
    void nobodyIsBesideAWriterAndEverybodyIsServed() throws Exception {
        String url = "memory:" + UUID.randomUUID();
        ExecutorService pool = Executors.newCachedThreadPool();
        try (Belay a = Belay.connect(url);
                Belay b = Belay.connect(url)) {
            List<Future<Void>> all = new ArrayList<>();
            for (int t = 0; t < 10; t++) {
                Belay belay = t % 3 == 0 ? b : a;
                Random random = new Random(seed + t);
                all.add(pool.submit(() -> act(belay, random)));
            }
            for (Future<Void> one : all) {
                one.get(Pace.seconds(), TimeUnit.SECONDS);
            }
            System.out.printf(
                    "seed %d: %d reads, %d writes, %d upgrades%n", seed, reads.get(), writes.get(), upgrades.get());
            Awaitility.await().untilAsserted(() -> {
                assertThat(a.admin().inspect("x").claims()).isEmpty();
                assertThat(a.admin().inspect("s").claims()).isEmpty();
            });
            assertThat(upgrades).hasPositiveValue();
            assertThat(a.semaphore("s", PERMITS).available()).isEqualTo(PERMITS);
        } finally {
            pool.shutdownNow();
        }
    }
}
