package io.belay.bench.library;

import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's registry on Redis, in either of its two ways of waiting. */
final class SpringRedisLibrary implements Library {
    private final boolean pubSub;

    SpringRedisLibrary(boolean pubSub) {
        this.pubSub = pubSub;
    }

    @Override
    public String name() {
        return pubSub ? "spring-redis-pubsub" : "spring-redis";
    }

    @Override
    public String store() {
        return "redis";
    }

    @Override
    public String settings() {
        return "`RedisLockRegistry` over Spring Data's Lettuce connection (shared, epoll), expiry 30 s, not renewed, "
                + (pubSub
                        ? "`PUB_SUB_LOCK`, in which a release is published to those who wait."
                        : "`SPIN_LOCK`, which is its default: a waiter tries again every 100 ms.");
    }

    @Override
    public Locks open(Site site) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(
                site.server().getHost(), site.server().getPort()));
        connections.afterPropertiesSet();
        connections.start();
        RedisLockRegistry registry = new RedisLockRegistry(connections, "bench", Duration.ofSeconds(30));
        registry.setRedisLockType(pubSub ? RedisLockType.PUB_SUB_LOCK : RedisLockType.SPIN_LOCK);
        return new SpringLocks(registry, connections);
    }

    private record SpringLocks(RedisLockRegistry registry, LettuceConnectionFactory connections)
            implements Locks, ReentrantLocks {
        @Override
        public Mutex mutex(String name) {
            return new JdkMutex(reentrant(name), () -> true);
        }

        @Override
        public Lock reentrant(String name) {
            return registry.obtain(name);
        }

        @Override
        public void close() {
            registry.destroy();
            connections.destroy();
        }
    }
}
