package io.belay.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.DistributedLock;
import io.belay.DistributedReadWriteLock;
import io.belay.DistributedSemaphore;
import io.belay.Lease;
import io.belay.LockRefusedException;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import io.belay.servers.Pace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Small programs for locks, as a user writes them who has the Javadoc and nothing else. */
class LockProgramsTest {
    private final String url = "memory:" + UUID.randomUUID();
    private int stock = 5;

    private int sell() {
        return --stock;
    }

    private int sellOrFail(boolean there) throws IOException {
        if (!there) {
            throw new FileNotFoundException("no stock");
        }
        return sell();
    }

    @Test
    void lock() throws InterruptedException {
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("stock:iphone");
            try (Lease lease = lock.acquire()) {
                assertThat(lease.token()).isPositive();
                sell();
            }
            lock.run(this::sell);
            assertThat(lock.call(this::sell)).isEqualTo(2);
        }
    }

    /** What a body throws is what has to be caught, and nothing else. */
    @Test
    void bodiesThatThrow() throws InterruptedException {
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("stock:iphone");
            int left = lock.call(() -> stock);
            assertThat(left).isEqualTo(5);
            try {
                assertThat(lock.call(() -> sellOrFail(true))).isEqualTo(4);
                lock.run(() -> sellOrFail(false));
            } catch (IOException e) {
                assertThat(e).hasMessage("no stock");
            }
            assertThatThrownBy(() -> lock.tryRun(Pace.patience(), () -> sellOrFail(false)))
                    .isInstanceOf(FileNotFoundException.class);
            assertThat(lock.isLocked()).isFalse();
        }
    }

    @Test
    void tryToLock() throws InterruptedException {
        try (Belay belay = Belay.connect(url)) {
            DistributedLock lock = belay.lock("stock:iphone");
            try (Lease held = lock.acquire()) {
                assertThat(lock.tryAcquire()).as("others have it").isEmpty();
                assertThat(lock.tryCall(Duration.ZERO, this::sell)).isEmpty();
                assertThat(held.isHeld()).isTrue();
            }
            Optional<Integer> left = lock.tryCall(Pace.patience(), this::sell);
            assertThat(left).contains(4);
        }
    }

    @Test
    void readAndWrite() throws InterruptedException {
        try (Belay belay = Belay.connect(url)) {
            DistributedReadWriteLock lock = belay.readWriteLock("prices");
            try (Lease one = lock.readLock().acquire();
                    Lease two = lock.readLock().acquire()) {
                assertThat(one.isHeld() && two.isHeld()).isTrue();
                assertThat(lock.writeLock().tryAcquire()).isEmpty();
            }
            Lease writing = lock.writeLock().acquire();
            try (Lease reading = lock.downgrade(writing)) {
                assertThat(reading.isHeld()).isTrue();
                assertThat(writing.isHeld()).isFalse();
            }
        }
    }

    @Test
    void semaphoreDefinedAndJoined() throws InterruptedException {
        try (Belay belay = Belay.connect(url);
                Belay other = Belay.connect(url)) {
            DistributedSemaphore licences = belay.semaphore("licences", 5);
            assertThatThrownBy(() -> other.joinSemaphore("licences").total()).isInstanceOf(LockRefusedException.class);
            try (Lease three = licences.permits(3).acquire()) {
                assertThat(other.joinSemaphore("licences").total()).isEqualTo(5);
                assertThat(other.joinSemaphore("licences").available()).isEqualTo(2);
                assertThat(three.isHeld()).isTrue();
            }
        }
    }

    @Test
    void severalLocks() throws InterruptedException {
        try (Belay belay = Belay.connect(url)) {
            MultiLock both = MultiLock.of(belay, List.of("account:2", "account:1"));
            try (MultiLease all = both.acquire()) {
                assertThat(all.leases()).extracting(Lease::name).containsExactly("account:1", "account:2");
            }
            assertThat(both.call(this::sell)).isEqualTo(4);
        }
    }
}
