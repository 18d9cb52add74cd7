package io.belay.bench.library;

import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.TransportMode;

/** Redisson's locks without a lease of their own, which its watchdog renews. */
final class RedissonLibrary implements Library {
    /** The settings of Redisson that are measured. */
    enum Setting {
        DEFAULT("redisson", "`getLock` and `getReadWriteLock`"),
        FAIR("redisson-fair", "`getFairLock`"),
        FEW_THREADS("redisson-tuned", "`getLock`");

        private final String title;
        private final String method;

        Setting(String title, String method) {
            this.title = title;
            this.method = method;
        }
    }

    /** The lease of a permit, as long as those of Redisson's locks; but Redisson does not renew this one. */
    private static final long PERMIT_SECONDS = 30;

    private final Setting setting;

    RedissonLibrary(Setting setting) {
        this.setting = setting;
    }

    @Override
    public String name() {
        return setting.title;
    }

    @Override
    public String store() {
        return "redis";
    }

    @Override
    public String settings() {
        return setting.method
                + " with the watchdog, which renews a lease of 30 s; one server; `TransportMode.EPOLL`, since its"
                + " documentation recommends a native transport; "
                + (setting == Setting.FEW_THREADS
                        ? "as many Netty threads as there are cores, which is fewer than its documentation says, but"
                                + " faster on a small machine."
                        : "all else as it comes (32 Netty threads, up to 64 connections, script cache on)."
                                + (setting == Setting.DEFAULT
                                        ? " Permits by `getPermitExpirableSemaphore`, for " + PERMIT_SECONDS
                                                + " s each, which nothing renews."
                                        : ""));
    }

    @Override
    public Locks open(Site site) {
        Config config = new Config().setTransportMode(TransportMode.EPOLL);
        if (setting == Setting.FEW_THREADS) {
            config.setNettyThreads(Runtime.getRuntime().availableProcessors());
        }
        config.useSingleServer().setAddress(site.server().toString());
        return new RedissonLocks(Redisson.create(config), setting);
    }

    private record RedissonLocks(RedissonClient client, Setting setting)
            implements Locks, ReentrantLocks, Semaphores, ReadWriteLocks {
        @Override
        public Mutex mutex(String name) {
            return mutex(reentrant(name));
        }

        @Override
        public RLock reentrant(String name) {
            return setting == Setting.FAIR ? client.getFairLock(name) : client.getLock(name);
        }

        @Override
        public Mutex permit(String name, int permits) {
            RPermitExpirableSemaphore semaphore = client.getPermitExpirableSemaphore(name);
            // Only the first has to, and the others find that it is done.
            semaphore.trySetPermits(permits);
            return () -> new Permit(semaphore, semaphore.acquire(PERMIT_SECONDS, TimeUnit.SECONDS));
        }

        @Override
        public Mutex reader(String name) {
            return mutex(client.getReadWriteLock(name).readLock());
        }

        @Override
        public Mutex writer(String name) {
            return mutex(client.getReadWriteLock(name).writeLock());
        }

        private static Mutex mutex(RLock lock) {
            return new JdkMutex(lock, lock::isHeldByCurrentThread);
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }

    private record Permit(RPermitExpirableSemaphore semaphore, String id) implements Held {
        @Override
        public void release() {
            semaphore.release(id);
        }

        @Override
        public boolean isHeld() {
            return semaphore.getLeaseTime(id) > 0;
        }
    }
}
