package io.belay.trials.registry.adapter;

import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;

/** What starts a ZooKeeper for Spring's tests. */
public class ZookeeperTestSupport {
    protected final @Nullable CuratorFramework client = null;
}
