package io.belay.zookeeper;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.function.UnaryOperator;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Makes clients that pause once before they connect again, for up to a second, as each client of ZooKeeper's does. By
 * default they pause for a second more once they have tried all servers, which is always so where there is one.
 *
 * <p>A server that is just starting, or stands still, may take a connection and never give a session on it, and one whose
 * machine is off takes none. By default a client waits for the session's whole time there, if it knows of no other server;
 * these wait for a third of it at most, with more than three servers for their part of it, and for no longer than a third
 * of the time that the first connection may take.
 */
final class EagerClient implements ZookeeperFactory {
    /** The least number of servers that a client is told it has. */
    private static final int SERVERS = 3;

    /** The least time that a server is given, in milliseconds: one may take that long and be well. */
    private static final long LEAST_MILLIS = 2_000;

    private final UnaryOperator<Watcher> watching;
    private final Duration connectTimeout;

    /**
     * Makes clients whose watchers go through a function first.
     *
     * @param connectTimeout the time in which they are to have a session though servers that are tried first give none
     */
    EagerClient(UnaryOperator<Watcher> watching, Duration connectTimeout) {
        this.watching = watching;
        this.connectTimeout = connectTimeout;
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
        // In between there are pauses of a second at most.
        long each = Math.max(LEAST_MILLIS, connectTimeout.toMillis() / SERVERS);
        Hosts hosts = new Hosts(servers, sessionTimeout, each);
        ZooKeeper client = new ZooKeeper(servers, sessionTimeout, watching.apply(watcher), readOnly, hosts, config);
        hosts.client = client;
        return client;
    }

    /** The servers to try. */
    private static final class Hosts implements HostProvider {
        private final HostProvider all;
        private final int asked;
        private final long each;
        /** The client that asks; null while it is made. */
        private volatile @Nullable ZooKeeper client;

        Hosts(String servers, int asked, long each) {
            all = new StaticHostProvider(new ConnectStringParser(servers).getServerAddresses());
            this.asked = asked;
            this.each = each;
        }

        /**
         * Returns by what the client divides the session's time, to wait so long for a server to give it a session: it asks for
         * the number of servers for nothing else. It asks anew once it is told of that time, which may be less than it has asked for.
         */
        @Override
        public int size() {
            ZooKeeper made = client;
            int granted = made == null ? 0 : made.getSessionTimeout();
            long parts = 1 + (granted > 0 ? granted : asked) / each;
            return (int) Math.max(parts, Math.max(all.size(), SERVERS));
        }

        @Override
        public InetSocketAddress next(long pause) {
            return all.next(0);
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
