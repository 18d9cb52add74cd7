package io.belay.trials.library;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code getLock}, renewed by its watchdog. It says whether a lock is held only by asking the server. */
final class RedissonLibrary implements Library {
    private static final int THREADS = 2;

    private final RedissonClient client;

    RedissonLibrary(String url, Duration lease) {
        Config config =
                new Config().setNettyThreads(THREADS).setThreads(THREADS).setLockWatchdogTimeout(lease.toMillis());
        config.useSingleServer().setAddress(url).setConnectionMinimumIdleSize(2).setConnectionPoolSize(8);
        client = Redisson.create(config);
    }

    @Override
    public Optional<Grant> acquire(Ask ask) throws InterruptedException {
        RLock lock = client.getLock(ask.name());
        if (ask.patience() == null) {
            lock.lockInterruptibly();
            return Optional.of(new LockGrant(lock));
        }
        return lock.tryLock(ask.patience().toMillis(), TimeUnit.MILLISECONDS)
                ? Optional.of(new LockGrant(lock))
                : Optional.empty();
    }

    @Override
    public void close() {
        client.shutdown();
    }

    private record LockGrant(RLock lock) implements Grant {
        @Override
        public long token() {
            return NO_TOKEN;
        }

        @Override
        public long remainingNanos() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isHeld() {
            return lock.isHeldByCurrentThread();
        }

        @Override
        public void onLost(Runnable told) {
            // It has no such thing.
        }

        @Override
        public Outcome release() {
            try {
                lock.unlock();
                return Outcome.RELEASED;
            } catch (IllegalMonitorStateException e) {
                return Outcome.LATE;
            } catch (RuntimeException e) {
                return Outcome.UNKNOWN;
            }
        }
    }
}
