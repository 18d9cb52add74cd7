package io.belay.bench.library;

import java.util.concurrent.locks.Lock;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.TransportMode;

/** Redisson's locks without a lease of their own, which its watchdog renews. */
final class RedissonLibrary implements Library {
    private final boolean fair;

    RedissonLibrary(boolean fair) {
        this.fair = fair;
    }

    @Override
    public String name() {
        return fair ? "redisson-fair" : "redisson";
    }

    @Override
    public String store() {
        return "redis";
    }

    @Override
    public String settings() {
        return (fair ? "`getFairLock`" : "`getLock`")
                + " with the watchdog, which renews a lease of 30 s; one server; `TransportMode.EPOLL`, since its"
                + " documentation recommends a native transport; all else as it comes (32 Netty threads, up to 64"
                + " connections, script cache on).";
    }

    @Override
    public Locks open(Site site) {
        Config config = new Config().setTransportMode(TransportMode.EPOLL);
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
                return fair ? client.getFairLock(name) : client.getLock(name);
            }

            @Override
            public void close() {
                client.shutdown();
            }
        };
    }
}
