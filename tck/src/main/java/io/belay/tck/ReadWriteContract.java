package io.belay.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.LockRefusedException;
import io.belay.ReentrantDistributedReadWriteLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of read-write locks that users rely on, between two clients of a real store. */
abstract class ReadWriteContract extends TwoClients {
    @BeforeEach
    void queues() {
        assumeTrue(spec.queues(), "the store keeps no queue and so has no read-write locks");
    }

    @Test
    void readersShareAndAWriterHasItAlone() throws Exception {
        // Within a slice a reader joins those whom its client has already.
        LockOptions brief = options().withSlice(Duration.ofMillis(1));
        DistributedReadWriteLock onA = a.readWriteLock("x", brief);
        DistributedReadWriteLock onB = b.readWriteLock("x", brief);
        Lease first = onA.readLock().acquire();
        Lease second = onB.readLock().acquire();
        CompletableFuture<Lease> writer = onA.writeLock().acquireAsync();
        awaitClaims("x", 3);
        CompletableFuture<Lease> late = onB.readLock().acquireAsync();
        staysUndone(late);
        giveBack(first);
        giveBack(second);
        assertThat(soon(writer).token()).isGreaterThan(Math.max(first.token(), second.token()));
        assertThat(waitInVain(onB.readLock())).isEmpty();
        giveBack(writer.join());
        giveBack(soon(late));
    }

    @Test
    void aWriterThatBecomesAReaderLetsTheReadersIn() throws Exception {
        Lease writer = a.readWriteLock("x").writeLock().acquire();
        CompletableFuture<Lease> reader = b.readWriteLock("x").readLock().acquireAsync();
        CompletableFuture<Lease> next = b.readWriteLock("x").writeLock().acquireAsync();
        awaitClaims("x", 3);
        Lease read = a.readWriteLock("x").downgrade(writer);
        giveBack(soon(reader));
        staysUndone(next);
        giveBack(read);
        giveBack(soon(next));
    }

    @Test
    void theOnlyReaderMayBecomeAWriter() throws Exception {
        DistributedReadWriteLock onA = a.readWriteLock("x");
        Lease read = onA.readLock().acquire();
        Lease other = b.readWriteLock("x").readLock().acquire();
        assertThat(onA.tryUpgrade(read)).isEmpty();
        giveBack(other);
        Lease written = onA.tryUpgrade(read).orElseThrow();
        assertThat(b.readWriteLock("x").readLock().tryAcquire()).isEmpty();
        giveBack(written);
    }

    @Test
    void aThreadMayReadWhatItWritesAndNotWriteWhatItReads() throws Exception {
        ReentrantDistributedReadWriteLock lock = a.reentrantReadWriteLock("x");
        lock.writeLock().lock();
        lock.readLock().lock();
        CompletableFuture<Lease> reader = b.readWriteLock("x").readLock().acquireAsync();
        staysUndone(reader);
        lock.writeLock().unlock();
        giveBack(soon(reader));
        assertThatThrownBy(() -> lock.writeLock().lock()).isInstanceOf(LockRefusedException.class);
        assertThat(lock.writeLock().tryLock()).isFalse();
        assertThat(lock.writeLock().isLocked()).isTrue();
        assertThat(lock.readLock().isLocked()).isFalse();
        lock.readLock().unlock();
        lock.writeLock().lock();
        lock.writeLock().unlock();
    }

    @Test
    void writersGetOnThoughReadersComeAllTheTimeAndReadersThoughWritersDo() throws Exception {
        List<Turns> all = new ArrayList<>();
        AtomicBoolean ending = new AtomicBoolean();
        List<Future<?>> running = new ArrayList<>();
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            for (Belay belay : List.of(a, b)) {
                DistributedReadWriteLock lock = belay.readWriteLock("x");
                for (int i = 0; i < 4; i++) {
                    all.add(new Turns(lock.readLock()));
                }
                for (int i = 0; i < 2; i++) {
                    all.add(new Turns(lock.writeLock()));
                }
            }
            for (Turns one : all) {
                running.add(pool.submit(() -> one.take(ending)));
            }
            // Nobody stops before all have had theirs, so whoever starves does so for as long as this waits.
            eventually()
                    .until(() -> all.stream().allMatch(one -> one.had >= 10)
                            || running.stream().anyMatch(Future::isDone));
            ending.set(true);
            for (Future<?> one : running) {
                one.get(soon(), TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** A thread's turns, one after another. */
    private final class Turns {
        private final DistributedLock lock;
        private volatile int had;

        Turns(DistributedLock lock) {
            this.lock = lock;
        }

        Void take(AtomicBoolean ending) throws InterruptedException {
            while (!ending.get()) {
                Lease lease = lock.acquire();
                TimeUnit.MICROSECONDS.sleep(200);
                had++;
                giveBack(lease);
            }
            return null;
        }
    }
}
