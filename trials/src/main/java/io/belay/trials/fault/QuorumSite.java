package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A quorum of three servers that keep nothing on disk, each behind a proxy. */
final class QuorumSite implements Site {
    private static final int MEMBERS = 3;

    private final Duration lease;
    private final List<RedisServer> members = new ArrayList<>();
    private final List<TcpProxy> proxies = new ArrayList<>();

    /** Starts the members; {@code lease} is the longest that there will be. */
    QuorumSite(Duration lease) throws IOException, InterruptedException {
        this.lease = lease;
        for (int i = 0; i < MEMBERS; i++) {
            RedisServer member = RedisServer.start(RedisServer.Version.V7_0);
            members.add(member);
            proxies.add(TcpProxy.to(member));
        }
    }

    /** Returns the same URL for all clients, as they have to name the same members. */
    @Override
    public String url(int client) {
        return proxies.stream().map(TcpProxy::url).collect(Collectors.joining(",", "quorum:", "")) + "#longest-lease="
                + lease.toMillis() + "ms";
    }

    @Override
    public List<RedisServer> servers() {
        return redis();
    }

    @Override
    public List<RedisServer> redis() {
        return members;
    }

    /** Returns the proxy through which all clients reach one member. */
    @Override
    public List<TcpProxy> network(int client) {
        return List.of(proxies.get(client % MEMBERS));
    }

    @Override
    public boolean sharesNetwork() {
        return true;
    }

    @Override
    public String wayOf(int client) {
        return "member-" + client % MEMBERS;
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
        members.forEach(RedisServer::close);
    }
}
