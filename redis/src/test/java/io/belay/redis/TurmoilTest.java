package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Several clients take one lock in every way, while connections are killed, pushes and replies get lost, and the server
 * pauses, each for less than a lease: nobody is stuck, the lock excludes, tokens rise, and no lease is lost. The seed is
 * printed; {@code -Dbelay.seed} gives it again.
 */
@Tag("long")
class TurmoilTest {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final int THREADS = 3;
    private static final long MILLIS = 5_000;
    /** How often the lock is had at least, however slow the machine is. */
    private static final int MANY = 100;

    private final long seed = Long.getLong("belay.seed", System.nanoTime());
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong highestToken = new AtomicLong();
    private final AtomicInteger had = new AtomicInteger();

    private void hold(Lease lease) {
        assertThat(inside.incrementAndGet()).as("holders at once").isEqualTo(1);
        assertThat(lease.token()).isGreaterThan(highestToken.getAndSet(lease.token()));
        assertThat(lease.isHeld()).isTrue();
        had.incrementAndGet();
        inside.decrementAndGet();
        assertThat(lease.release()).isIn(ReleaseOutcome.RELEASED, ReleaseOutcome.UNKNOWN);
    }

    private Void work(Belay belay, long seedOfThread) throws Exception {
        Random random = new Random(seedOfThread);
        LockOptions defaults = LockOptions.defaults().withLease(LEASE);
        DistributedLock plain = belay.lock("x", defaults);
        DistributedLock strict = belay.lock("x", defaults.withStrictOrder(true));
        DistributedLock sticky = belay.lock("x", defaults.withSticky(Duration.ofMinutes(1)));
        List<DistributedLock> locks = List.of(plain, plain, strict, sticky);
        while (!ending.get()) {
            DistributedLock lock = locks.get(random.nextInt(locks.size()));
            switch (random.nextInt(4)) {
                case 0 -> tryToHold(lock, Duration.ofMillis(random.nextInt(300)));
                case 1 -> {
                    CompletableFuture<Lease> later = lock.acquireAsync();
                    if (random.nextBoolean() && later.cancel(true)) {
                        continue;
                    }
                    hold(later.get());
                }
                default -> hold(lock.acquire());
            }
            if (random.nextInt(8) == 0) {
                TimeUnit.MICROSECONDS.sleep(random.nextInt(2_000));
            }
        }
        hold(plain.acquire()); // nobody is stuck
        return null;
    }

    /** Who waits for so short a time may hear that nobody knows, since the store is not to be reached. */
    private void tryToHold(DistributedLock lock, Duration longest) throws InterruptedException {
        try {
            lock.tryAcquire(longest).ifPresent(this::hold);
        } catch (StoreUnavailableException e) {
            assertThat(e).hasMessageContaining("not known who has the lock 'x'");
        }
    }

    private void strike(RedisServer redis, TcpProxy proxy, Random random) throws Exception {
        switch (random.nextInt(6)) {
            case 0 -> redis.command("CLIENT", "KILL", "TYPE", "normal");
            case 1 -> redis.command("CLIENT", "KILL", "TYPE", "pubsub");
            case 2 -> redis.command("SCRIPT", "FLUSH");
            case 3 -> redis.command("CLIENT", "PAUSE", "200", "ALL");
            case 4 -> proxy.loseNextReply();
            default -> {
                proxy.dropMessages();
                TimeUnit.MILLISECONDS.sleep(100);
                proxy.pass();
            }
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(400));
    }

    @ParameterizedTest
    @EnumSource
    void everyoneGetsOn(RedisServer.Version version) throws Exception {
        System.out.println("seed " + seed);
        ExecutorService pool = Executors.newCachedThreadPool();
        try (RedisServer redis = RedisServer.start(version);
                TcpProxy proxy = TcpProxy.to(redis);
                Belay one = Belay.connect(redis.url());
                Belay two = Belay.connect(redis.url() + "?protocol=resp2");
                Belay three = Belay.connect(proxy.url(), BelayOptions.defaults().withClientName("behind the proxy"))) {
            List<Future<Void>> all = new ArrayList<>();
            for (Belay belay : List.of(one, two, three)) {
                for (int i = 0; i < THREADS; i++) {
                    long own = seed + all.size();
                    all.add(pool.submit(() -> work(belay, own)));
                }
            }
            Random random = new Random(seed);
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < MILLIS * 1_000_000 || had.get() < MANY) {
                assertThat(System.nanoTime() - begin)
                        .as("it is had too seldom")
                        .isLessThan(Pace.patience().toNanos());
                strike(redis, proxy, random);
            }
            proxy.pass();
            ending.set(true);
            for (Future<Void> each : all) {
                each.get(Pace.seconds(), TimeUnit.SECONDS);
            }
        } catch (ExecutionException e) {
            throw new AssertionError("seed " + seed, e);
        } finally {
            ending.set(true);
            pool.shutdownNow();
        }
    }
}
