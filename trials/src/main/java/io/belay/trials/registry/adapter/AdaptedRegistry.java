package io.belay.trials.registry.adapter;

import io.belay.Belay;
import io.belay.LockOptions;
import io.belay.OwnHold;
import io.belay.spring.integration.BelayLockRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.scheduling.TaskScheduler;

/** A registry that has the methods of Spring's, and is Belay's. */
public class AdaptedRegistry
        implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock>, AutoCloseable {
    /** Spring's default time to live; one as long is the default here, too: the client's lease, which is renewed. */
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private final Belay belay;
    private final String namespace;
    private final @Nullable Duration timeToLive;
    private volatile BelayLockRegistry registry;

    AdaptedRegistry(Belay belay, String namespace, @Nullable Duration timeToLive) {
        this.belay = belay.namespace(namespace);
        this.namespace = namespace;
        this.timeToLive = timeToLive;
        registry = BelayLockRegistry.of(this.belay, options(timeToLive));
    }

    private static LockOptions options(@Nullable Duration timeToLive) {
        return timeToLive == null
                ? LockOptions.defaults()
                : LockOptions.defaults().withFixedLease(timeToLive.compareTo(SHORTEST) < 0 ? SHORTEST : timeToLive);
    }

    @Override
    public DistributedLock obtain(Object lockKey) {
        return registry.obtain(lockKey);
    }

    @Override
    public void renewLock(Object lockKey) {
        registry.renewLock(lockKey);
    }

    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        registry.renewLock(lockKey, ttl);
    }

    @Override
    public void expireUnusedOlderThan(long age) {
        registry.expireUnusedOlderThan(age);
    }

    /** Has locks renewed, which Belay does where no time to live is asked for. */
    @Override
    public void setRenewalTaskScheduler(TaskScheduler scheduler) {
        registry = BelayLockRegistry.of(belay);
    }

    /** Nothing is cached. */
    public void setCacheCapacity(int capacity) {}

    /** Belay has executors of its own. */
    public void setExecutor(Executor executor) {}

    /** The client is closed after the test. */
    public void destroy() {}

    @Override
    public void close() {}

    /** Returns what the tests look up in Spring's registries, of which they know the fields. */
    @Nullable
    Object property(String name) {
        return switch (name) {
            case "locks" -> locks();
            case "registryKey" -> namespace;
            case "timeToLive" -> Optional.ofNullable(timeToLive).orElse(Duration.ZERO);
            default -> throw new IllegalArgumentException("a registry of Belay has no '" + name + "'");
        };
    }

    /** Returns the locks of which the registry keeps anything: those that are held. */
    private Map<String, Lock> locks() {
        return belay.admin().holds().stream()
                .map(OwnHold::name)
                .map(name -> name.substring(namespace.length() + 1))
                .distinct()
                .collect(Collectors.toMap(name -> name, this::obtain));
    }
}
