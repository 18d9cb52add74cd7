package io.belay.trials.registry.adapter;

import java.time.Duration;

/** What stands in place of Spring's registry on Redis. */
public final class RedisLockRegistry extends AdaptedRegistry {
    /** The ways in which Spring's waits. */
    public enum RedisLockType {
        SPIN_LOCK,
        PUB_SUB_LOCK
    }

    public RedisLockRegistry(RedisConnectionFactory unused, String registryKey) {
        super(Clients.open(), registryKey, null);
    }

    /** {@code expireAfter}: the time to live, in milliseconds. */
    public RedisLockRegistry(RedisConnectionFactory unused, String registryKey, long expireAfter) {
        super(Clients.open(), registryKey, Duration.ofMillis(expireAfter));
    }

    /** Belay waits by a push. */
    public void setRedisLockType(RedisLockType unused) {}
}
