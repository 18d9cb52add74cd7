package io.belay.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.LossReason;
import io.belay.ReentrantDistributedLock;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import io.belay.servers.Stalls;
import java.nio.file.Path;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads of several clients that wait, try, give up, are interrupted and cancelled, all at once: the lock excludes, the
 * tokens rise, and nothing is left behind. The seed is printed; {@code -Dbelay.seed} gives it again.
 */
class TurmoilTest {
    private static final String LOCK = "x";

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("belay.seed", System.nanoTime());
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong highestToken = new AtomicLong();
    private final AtomicLong had = new AtomicLong();
    private final Stalls stalls = Stalls.watch();
    private boolean mayHearLate = true;

    @AfterEach
    void close() {
        stalls.close();
    }

    private void enter(Lease lease) {
        if (lease.isHeld()) {
            assertThat(inside.incrementAndGet()).as("holders at once").isEqualTo(1);
            assertThat(highestToken.getAndSet(lease.token())).isLessThan(lease.token());
            had.incrementAndGet();
            inside.decrementAndGet();
        }
        boolean lost = !lease.isHeld();
        ReleaseOutcome outcome = lease.release();
        if (lost || outcome != ReleaseOutcome.RELEASED) {
            assertThat(outcome).isEqualTo(ReleaseOutcome.ALREADY_LOST);
            lostUnanswered(lease);
        }
    }

    /**
     * A grant stands for two seconds until its holder is heard of. Where hundreds ask a file at once it may take longer to hear it,
     * and for no other reason is anything lost here: all leases are longer than the test.
     */
    private void lostUnanswered(Lease lease) {
        isHeardOfLate();
        CompletableFuture<LeaseLostException> told = new CompletableFuture<>();
        lease.onLost(told::complete);
        LeaseLostException loss =
                told.orTimeout(Pace.seconds(), TimeUnit.SECONDS).join();
        assertThat(loss.reason()).contains(LossReason.EXPIRED);
        System.out.println("lost: " + loss.getMessage());
    }

    /** Says that this may be: also in memory, where the machine keeps the threads of holders from the processor. */
    private void isHeardOfLate() {
        assertThat(mayHearLate || stalls.areMany())
                .as("the store hears of a holder in time, %s", stalls)
                .isTrue();
    }

    private Void act(Belay belay, Random random, int rounds) throws Exception {
        DistributedLock plain = belay.lock(LOCK);
        DistributedLock strict = belay.lock(LOCK, LockOptions.defaults().withStrictOrder(true));
        DistributedLock fixed = belay.lock(LOCK, LockOptions.defaults().withFixedLease(Duration.ofMinutes(1)));
        DistributedLock sticky = belay.lock(LOCK, LockOptions.defaults().withSticky(Duration.ofMillis(50)));
        ReentrantDistributedLock reentrant = belay.reentrantLock(LOCK);
        for (int i = 0; i < rounds; i++) {
            DistributedLock lock = switch (random.nextInt(8)) {
                case 0 -> strict;
                case 1 -> fixed;
                case 2, 3 -> sticky;
                default -> plain;
            };
            switch (random.nextInt(7)) {
                case 0 -> tried(lock::tryAcquire);
                case 1 -> {
                    Duration wait = Duration.ofNanos(random.nextInt(2_000_000));
                    tried(() -> lock.tryAcquire(wait));
                }
                case 2 -> lock.acquireAsync().thenAccept(this::enter).get();
                case 3 -> cancel(lock.acquireAsync(), random);
                case 4 -> interrupted(lock);
                case 5 -> lockTwice(reentrant);
                default -> enter(lock.acquire());
            }
        }
        return null;
    }

    private void lockTwice(ReentrantDistributedLock lock) {
        try {
            lock.lock();
            lock.lock();
            lock.unlock();
            if (lock.isHeldByCurrentThread()) {
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                inside.decrementAndGet();
            }
            lock.unlock();
        } catch (LeaseLostException e) {
            isHeardOfLate();
            assertThat(e.reason()).contains(LossReason.EXPIRED);
        }
    }

    /** A thread that asks the store may be kept from the processor for longer than a try waits for its answer. */
    private void tried(Callable<Optional<Lease>> attempt) throws Exception {
        Optional<Lease> had = Optional.empty();
        try {
            had = attempt.call();
        } catch (StoreUnavailableException e) {
            assertThat(e).hasMessageContaining("did not answer in time");
        }
        had.ifPresent(this::enter);
    }

    private void cancel(CompletableFuture<Lease> waiting, Random random) {
        if (random.nextBoolean()) {
            Thread.onSpinWait();
        }
        CompletableFuture<Void> used = waiting.thenAccept(this::enter);
        if (!waiting.cancel(true)) {
            used.join(); // it was had before
        }
    }

    private void interrupted(DistributedLock lock) {
        Thread.currentThread().interrupt();
        try {
            enter(lock.acquire());
            assertThat(Thread.interrupted()).isTrue();
        } catch (InterruptedException e) {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    private void turmoil(String url, ExecutorService pool, int threads, int rounds) throws Exception {
        System.out.println("seed " + seed);
        try (Belay one = Belay.connect(url);
                Belay two = Belay.connect(url);
                Belay three = Belay.connect(url)) {
            List<Belay> clients = List.of(one, two, three);
            List<Future<Void>> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Random random = new Random(seed + t);
                Belay belay = clients.get(t % 3);
                all.add(pool.submit(() -> act(belay, random, rounds)));
            }
            for (Future<Void> each : all) {
                each.get(Pace.seconds(), TimeUnit.SECONDS);
            }
            assertThat(had.get()).isPositive();
            Awaitility.await()
                    .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .untilAsserted(
                            () -> assertThat(one.admin().inspect(LOCK).claims()).isEmpty());
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void inMemory() throws Exception {
        mayHearLate = false;
        turmoil("memory:" + UUID.randomUUID(), Executors.newFixedThreadPool(12), 12, 2_000);
    }

    @Test
    void inAFile() throws Exception {
        turmoil("file:" + directory.resolve("locks"), Executors.newFixedThreadPool(12), 12, 1_000);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void onVirtualThreads() throws Exception {
        ExecutorService pool = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        turmoil("file:" + directory.resolve("locks"), pool, 1_000, 10);
    }
}
