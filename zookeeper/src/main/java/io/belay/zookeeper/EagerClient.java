package io.belay.zookeeper;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.function.UnaryOperator;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Makes clients that pause once before they connect again, for up to a second, as each client of ZooKeeper's does. By
 * default they pause for a second more once they have tried all servers, which is always so where there is one.
 *
 * <p>A server that is just starting may take a connection and never give a session on it. By default a client waits for the
 * session's whole time there, if it knows of no other server; these wait for a third of it at most.
 */
final class EagerClient implements ZookeeperFactory {
    /** The least number of servers that a client is told it has. */
    private static final int SERVERS = 3;

    private final UnaryOperator<Watcher> watching;

    /** Makes clients whose watchers go through a function first. */
    EagerClient(UnaryOperator<Watcher> watching) {
        this.watching = watching;
    }

    @Override
    public ZooKeeper newZooKeeper(String servers, int sessionTimeout, Watcher watcher, boolean readOnly)
            throws Exception {
        return newZooKeeper(servers, sessionTimeout, watcher, readOnly, new ZKClientConfig());
    }

    @Override
    public ZooKeeper newZooKeeper(
            String servers, int sessionTimeout, Watcher watcher, boolean readOnly, ZKClientConfig config)
            throws Exception {
        HostProvider hosts = new Hosts(new ConnectStringParser(servers).getServerAddresses());
        return new ZooKeeper(servers, sessionTimeout, watching.apply(watcher), readOnly, hosts, config);
    }

    private record Hosts(HostProvider all) implements HostProvider {
        Hosts(Collection<InetSocketAddress> addresses) {
            this(new StaticHostProvider(addresses));
        }

        @Override
        public InetSocketAddress next(long pause) {
            return all.next(0);
        }

        /** A client divides the session's time by this, waits so long for a server to give it a session, and asks for nothing else. */
        @Override
        public int size() {
            return Math.max(all.size(), SERVERS);
        }

        @Override
        public void onConnected() {
            all.onConnected();
        }

        @Override
        public boolean updateServerList(Collection<InetSocketAddress> addresses, InetSocketAddress current) {
            return all.updateServerList(addresses, current);
        }
    }
}
