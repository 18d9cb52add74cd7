package io.belay.bench.store;

import io.belay.servers.ZooKeeperServer;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server of ZooKeeper: the one that comes from Maven. */
final class ZooKeeperStore implements StoreServer {
    private static final Pattern VERSION = Pattern.compile("Zookeeper version: ([^-,\\s]+)");

    private ZooKeeperServer server;

    private ZooKeeperStore(ZooKeeperServer server) {
        this.server = server;
    }

    static ZooKeeperStore start() throws IOException, InterruptedException {
        return new ZooKeeperStore(ZooKeeperServer.start());
    }

    @Override
    public String version() throws IOException {
        Matcher matcher = VERSION.matcher(server.ask("srvr"));
        return matcher.find() ? matcher.group(1) : "unknown";
    }

    @Override
    public String url() {
        return server.url();
    }

    /** Starts another server: sessions that were not closed would end in the middle of what comes next. */
    @Override
    public void clear() throws IOException, InterruptedException {
        server.close();
        server = ZooKeeperServer.start();
    }

    @Override
    public void close() {
        server.close();
    }
}
