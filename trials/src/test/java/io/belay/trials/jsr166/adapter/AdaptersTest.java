package io.belay.trials.jsr166.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Inspection.Claim;
import io.belay.servers.Pace;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptersTest {
    private static final String PREFIX = "adapters:";

    private final List<Belay> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private void use(int several) {
        for (int i = 0; i < several; i++) {
            clients.add(Belay.connect("memory:adapters", BelayOptions.defaults().withClientName("client " + i)));
        }
        Adapters.use(clients, PREFIX);
    }

    @AfterEach
    void end() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
        Adapters.change(UnaryOperator.identity());
        clients.forEach(Belay::close);
    }

    private Thread start(Runnable body) {
        Thread thread = TestThreads.make(body);
        thread.start();
        threads.add(thread);
        return thread;
    }

    private static Runnable locking(ReentrantLock lock) {
        return () -> {
            try {
                lock.lockInterruptibly();
                lock.unlock();
            } catch (InterruptedException e) {
                // The test is over.
            }
        };
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Pace.patience().toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            Thread.sleep(1);
        }
    }

    private static void awaitQueue(ReentrantLock lock, int length) throws InterruptedException {
        await(length + " wait", () -> lock.getQueueLength() == length);
    }

    @Test
    void theThreadsThatComeToALockTakeTurnsAmongTheClients() throws Exception {
        use(2);
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread second = start(locking(lock));
        awaitQueue(lock, 1);
        Thread third = start(locking(lock));
        awaitQueue(lock, 2);

        String name = clients.get(1).admin().names(PREFIX).findFirst().orElseThrow();
        assertThat(clients.get(1).admin().inspect(name).claims())
                .extracting(Claim::client)
                .containsExactly("client 0", "client 1");
        assertThat(lock.getOwner()).isSameAs(Thread.currentThread());
        assertThat(lock.getQueuedThreads()).containsExactlyInAnyOrder(second, third);
        lock.unlock();
        second.join();
        third.join();
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void aThreadReadsAndWritesByTheSameClient() {
        use(2);
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        for (int i = 0; i < 2; i++) {
            lock.writeLock().lock();
            assertThat(lock.readLock().tryLock()).isTrue();
            lock.writeLock().unlock();
            assertThat(lock.getReadHoldCount()).isEqualTo(1);
            lock.readLock().unlock();
        }
    }

    @Test
    void aLockThatIsKeptIsHeldByNobody() {
        use(1);
        Adapters.change(options -> options.withSticky(Duration.ofHours(1)));
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        assertThat(lock.isLocked()).isTrue();
        lock.unlock();
        String name = clients.get(0).admin().names(PREFIX).findFirst().orElseThrow();
        assertThat(clients.get(0).admin().inspect(name).claims())
                .as("it is kept")
                .hasSize(1);
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.getOwner()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aSemaphoreMayHaveFewerPermitsThanNone(int several) throws Exception {
        use(several);
        Semaphore semaphore = new Semaphore(-1, true);
        assertThat(semaphore.availablePermits()).isEqualTo(-1);
        semaphore.release();
        assertThat(semaphore.availablePermits()).isZero();
        assertThat(semaphore.tryAcquire()).isFalse();
        CountDownLatch acquired = new CountDownLatch(1);
        start(() -> {
            semaphore.acquireUninterruptibly();
            acquired.countDown();
        });
        await("it waits", semaphore::hasQueuedThreads);
        semaphore.release();
        acquired.await();
        semaphore.release(3);
        assertThat(semaphore.drainPermits()).isEqualTo(3);
        semaphore.reducePermits(7);
        assertThat(semaphore.availablePermits()).isEqualTo(-7);
    }

    @ParameterizedTest
    @CsvSource({
        "WAITING, WAITING, true",
        "WAITING, TIMED_WAITING, true",
        "TIMED_WAITING, WAITING, false",
        "RUNNABLE, TIMED_WAITING, false",
        "BLOCKED, WAITING, false"
    })
    void aThreadMayWaitWithoutALimitOfItsOwn(State seen, State expected, boolean waits) {
        assertThat(TestThreads.waits(seen, expected)).isEqualTo(waits);
    }
}
