package io.belay.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.DistributedReadWriteLock;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReentrantDistributedLock;
import io.belay.ReleaseOutcome;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client's end means on a real server, for its own holders and waiters and for another client. */
class ClosingTest {
    private RedisServer redis;
    private Belay other;

    @BeforeEach
    void start() throws Exception {
        redis = RedisServer.start(Version.V7_0);
        other = connect();
    }

    /** However late the server of a busy machine answers, what comes of it is known. */
    private Belay connect() {
        return Belay.connect(
                redis.url() + "?timeout=1m", BelayOptions.defaults().withRequestTimeout(Pace.patience()));
    }

    @AfterEach
    void end() {
        other.close();
        redis.close();
    }

    @Test
    void noReaderThatWaitsIsLetInBesideTheNextWriter() throws Exception {
        for (int round = 0; round < 50; round++) {
            String name = "x" + round;
            Belay closed = connect();
            DistributedReadWriteLock lock = closed.readWriteLock(name);
            lock.writeLock().acquire();
            CompletableFuture<Lease> reader = lock.readLock().acquireAsync();
            CompletableFuture<Lease> writer =
                    other.readWriteLock(name).writeLock().acquireAsync();
            closed.close();
            assertThatThrownBy(() -> reader.get(Pace.seconds(), SECONDS))
                    .hasCauseInstanceOf(ClientClosedException.class);
            assertThat(writer.get(Pace.seconds(), SECONDS).release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void aHolderIsToldBeforeAnotherClientHasTheLock() throws Exception {
        for (int round = 0; round < 50; round++) {
            Belay closed = connect();
            Lease lease = closed.lock("x").acquire();
            CountDownLatch told = new CountDownLatch(1);
            lease.onLost(loss -> told.countDown());
            CompletableFuture<Lease> next = other.lock("x").acquireAsync();
            CompletableFuture<Boolean> heldThen =
                    next.thenApply(got -> lease.isHeld()); // by the thread that hears of it first
            closed.close();
            assertThat(heldThen.get(Pace.seconds(), SECONDS)).isFalse();
            assertThat(told.await(Pace.seconds(), SECONDS)).isTrue();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_LOST);
            assertThat(next.get().release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void unlockDoesNotPassForDoneWhenItsClientWasClosed() {
        Belay closed = connect();
        ReentrantDistributedLock lock = closed.reentrantLock("x");
        lock.lock();
        closed.close();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** A gate that is made while its client is closed must not wait for ever, nor leave a claim. */
    @Test
    void anAcquireThatRacesWithCloseReturnsAndLeavesNothing() throws Exception {
        for (int round = 0; round < 50; round++) {
            String name = "x" + round;
            Belay closed = connect();
            CompletableFuture<Void> begun = new CompletableFuture<>();
            CompletableFuture<Lease> racing = CompletableFuture.supplyAsync(() -> {
                        begun.complete(null);
                        return closed.lock(name).acquireAsync();
                    })
                    .thenCompose(asked -> asked);
            begun.join();
            closed.close();
            racing.handle((lease, error) -> lease == null ? error : lease.release())
                    .get(Pace.seconds(), SECONDS);
            // A claim that was left would keep it for 30 s.
            assertThat(other.lock(name).tryAcquire(Duration.ofSeconds(20))).isPresent();
        }
    }

    @Test
    void aDrainWaitsForTheHolderAndTakesNothingFromIt() throws Exception {
        Belay closed = connect();
        Lease lease = closed.lock("x").acquire();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> closed.close(Pace.patience()));
        assertThatThrownBy(() -> {
                    while (true) {
                        Premise.answered(() -> closed.lock("y").tryAcquire()).ifPresent(Lease::close);
                    }
                })
                .isInstanceOf(ClientClosedException.class);
        assertThat(closing).isNotDone();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        closing.get(Pace.seconds(), SECONDS);
    }
}
