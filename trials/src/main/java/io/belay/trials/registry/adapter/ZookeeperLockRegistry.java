package io.belay.trials.registry.adapter;

import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

/** What stands in place of Spring's registry on ZooKeeper. */
public final class ZookeeperLockRegistry extends AdaptedRegistry {
    private static final String NAMESPACE = "zookeeper";

    /** The way in which keys become paths, as Spring has it. */
    public interface KeyToPathStrategy {
        String pathFor(String key);

        /** Returns whether the paths are few. */
        default boolean bounded() {
            return true;
        }
    }

    public ZookeeperLockRegistry(@Nullable CuratorFramework unused) {
        super(Clients.open(), NAMESPACE, null);
    }

    public ZookeeperLockRegistry(@Nullable CuratorFramework unused, KeyToPathStrategy alsoUnused) {
        super(Clients.open(), NAMESPACE, null);
    }
}
