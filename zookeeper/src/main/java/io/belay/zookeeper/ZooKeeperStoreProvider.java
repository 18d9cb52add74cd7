package io.belay.zookeeper;

import io.belay.node.NodeStore;
import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * Opens {@code zookeeper://} URLs, and {@code zookeepers://} for TLS:
 * {@code zookeeper://[USER:PASSWORD@]HOST[:PORT][,HOST[:PORT]...][/PATH][?PARAMETERS]}.
 */
public final class ZooKeeperStoreProvider implements StoreProvider {
    /** Makes a provider, for {@link java.util.ServiceLoader}. */
    public ZooKeeperStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return ZooKeeperUrl.SCHEMES;
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(listener, "listener");
        Settings settings = new ZooKeeperUrl(url).parse();
        Connection connection = Connection.open(settings, listener::reconnected);
        try {
            return new NodeStore("belay-zookeeper", new ZooKeeperNodes(settings, connection, client), listener);
        } catch (RuntimeException | Error e) { // an error as well, as for want of threads
            connection.close();
            throw e;
        }
    }

    /** Looks at the URL alone: nothing has to be made. */
    @Override
    public Optional<String> schema(String url) {
        Objects.requireNonNull(url, "url");
        var unused = new ZooKeeperUrl(url).hosts(); // and not its files, which may be there later
        return Optional.empty();
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        Settings settings = new ZooKeeperUrl(url).parse();
        Connection connection = Connection.open(settings, () -> {});
        try {
            int servers = connection.session().servers().join();
            List<Finding> findings = new ArrayList<>(ServerVersions.findings(settings));
            if (servers <= 1) {
                findings.add(Finding.of(
                        Finding.Severity.NOTE,
                        "members",
                        "There is but one server, so locks wait while it is down, and are gone with its disk.",
                        "Run an ensemble of three or five where that matters."));
            }
            return findings;
        } catch (CompletionException e) {
            throw connection.failures().explain(e);
        } finally {
            connection.close();
        }
    }
}
