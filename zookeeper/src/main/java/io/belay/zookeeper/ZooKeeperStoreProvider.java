package io.belay.zookeeper;

import io.belay.node.NodeStore;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.Set;

/**
 * Opens {@code zookeeper://} URLs, and {@code zookeepers://} for TLS:
 * {@code zookeeper://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]...][/PATH][?PARAMETERS]}.
 */
public final class ZooKeeperStoreProvider implements StoreProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ZooKeeperStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return ZooKeeperUrl.SCHEMES;
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Settings settings = new ZooKeeperUrl(url).parse();
        Connection connection = Connection.open(settings, listener::reconnected);
        return new NodeStore("belay-zookeeper", new ZooKeeperNodes(settings, connection), listener);
    }
}
