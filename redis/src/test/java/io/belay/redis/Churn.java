package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedCountDownLatch;
import io.belay.DistributedLock;
import io.belay.LeaderElection;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.servers.Premise;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Uses a store as applications do, in rounds of all there is, each of which should leave nothing behind. */
final class Churn implements AutoCloseable {
    /**
     * So many names come, go and come again: a store remembers each for a minute or two, and before the warm-up is over it
     * knows all. A round takes 32.
     */
    private static final int NAMES = 32 * 6;

    private static final BelayOptions OPTIONS = BelayOptions.defaults().withRequestTimeout(Duration.ofSeconds(10));

    private final String url;
    private final Belay one;
    private final Belay two;
    private final Lease kept;
    private long names;

    Churn(String url) throws InterruptedException {
        this.url = url;
        one = Belay.connect(url, OPTIONS);
        two = Belay.connect(url, OPTIONS);
        kept = one.lock("kept").acquire();
    }

    private String name() {
        return "churn" + names++ % NAMES;
    }

    /** One round; a client comes and goes in it as well. */
    void round() throws Exception {
        for (int i = 0; i < 20; i++) {
            String name = name();
            try (Lease lease = one.lock(name).acquire()) {
                lease.onLost(why -> {});
                assertThat(Premise.answered(() -> two.lock(name).tryAcquire())).isEmpty();
                assertThat(Premise.answered(() -> one.lock(name).tryAcquire())).isEmpty();
            }
        }
        waits();
        sticky();
        shared();
        latch();
        election();
        client();
        kept.onLost(why -> {});
    }

    /** Waits that end by time or by being called off, here and at the other client. */
    private void waits() throws Exception {
        for (int i = 0; i < 5; i++) {
            String name = name();
            try (Lease lease = one.lock(name).acquire()) {
                CompletableFuture<Lease> here = one.lock(name).acquireAsync();
                CompletableFuture<Lease> there = two.lock(name).acquireAsync();
                CompletableFuture<?> timed = two.lock(name).tryAcquireAsync(Duration.ofMillis(1));
                assertThat(Premise.answered(() -> one.lock(name).tryAcquire(Duration.ofNanos(100_000))))
                        .isEmpty();
                assertThat(here.cancel(true) && there.cancel(true)).isTrue();
                timed.join();
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }

    private void sticky() throws InterruptedException {
        String name = name();
        DistributedLock sticky = one.lock(name, LockOptions.defaults().withSticky(Duration.ofMillis(20)));
        for (int i = 0; i < 10; i++) {
            sticky.acquire().close();
        }
        two.lock(name).acquire().close();
        // Nobody takes this one away: it ends when it is idle.
        one.lock(name(), LockOptions.defaults().withSticky(Duration.ofMillis(20)))
                .acquire()
                .close();
    }

    private void shared() throws Exception {
        String name = name() + "-rw";
        try (Lease read = one.readWriteLock(name).readLock().acquire();
                Lease other = two.readWriteLock(name).readLock().acquire()) {
            assertThat(Premise.answered(
                            () -> one.readWriteLock(name).writeLock().tryAcquire()))
                    .isEmpty();
            assertThat(read.isHeld() && other.isHeld()).isTrue();
        }
        String permits = name() + "-s";
        try (Lease some = one.semaphore(permits, 3).permits(2).acquire();
                Lease last = two.semaphore(permits, 3).permits(1).acquire()) {
            assertThat(some.isHeld() && last.isHeld()).isTrue();
        }
    }

    private void latch() throws InterruptedException {
        DistributedCountDownLatch latch = one.countDownLatch(name() + "-l");
        assertThat(latch.trySetCount(1)).isTrue();
        CompletableFuture<Void> calledOff = two.countDownLatch(latch.name()).awaitAsync();
        CompletableFuture<Void> waiting = two.countDownLatch(latch.name()).awaitAsync();
        calledOff.cancel(true);
        assertThat(latch.countDown()).isZero();
        waiting.join();
        latch.delete();
    }

    private void election() throws InterruptedException {
        LeaderElection election = one.election(name() + "-e");
        try (LeaderElection.Observation observed = two.election(election.name()).observe(leader -> {});
                Lease term = election.campaign()) {
            assertThat(two.election(election.name()).tryCampaign()).isEmpty();
            assertThat(term.isHeld()).isTrue();
        }
    }

    /** One that is closed with locks that it holds and waits for. */
    private void client() throws InterruptedException {
        String name = name();
        try (Belay brief = Belay.connect(url, OPTIONS)) {
            brief.lock(name).acquire().onLost(why -> {});
            CompletableFuture<Lease> waiting = brief.lock("kept").acquireAsync();
            assertThat(waiting).isNotDone();
        }
        one.lock(name).acquire().close();
    }

    @Override
    public void close() {
        assertThat(kept.isHeld()).isTrue();
        kept.close();
        one.close();
        two.close();
    }
}
