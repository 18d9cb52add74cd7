package io.belay.bench.library;

import java.util.concurrent.locks.Lock;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.TransportMode;

/** Redisson's locks without a lease of their own, which its watchdog renews. */
final class RedissonLibrary implements Library {
    /** Its settings that are measured. */
    enum Setting {
        DEFAULT("redisson", "`getLock`"),
        FAIR("redisson-fair", "`getFairLock`"),
        FEW_THREADS("redisson-tuned", "`getLock`");

        private final String title;
        private final String method;

        Setting(String title, String method) {
            this.title = title;
            this.method = method;
        }
    }

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
                        : "all else as it comes (32 Netty threads, up to 64 connections, script cache on).");
    }

    @Override
    public Locks open(Site site) {
        Config config = new Config().setTransportMode(TransportMode.EPOLL);
        if (setting == Setting.FEW_THREADS) {
            config.setNettyThreads(Runtime.getRuntime().availableProcessors());
        }
        config.useSingleServer().setAddress(site.redis().toString());
        RedissonClient client = Redisson.create(config);
        return new Locks() {
            @Override
            public Mutex mutex(String name) {
                RLock lock = lock(name);
                return new JdkMutex(lock, lock::isHeldByCurrentThread);
            }

            @Override
            public Lock reentrant(String name) {
                return lock(name);
            }

            private RLock lock(String name) {
                return setting == Setting.FAIR ? client.getFairLock(name) : client.getLock(name);
            }

            @Override
            public void close() {
                client.shutdown();
            }
        };
    }
}
