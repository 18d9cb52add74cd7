package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import io.belay.servers.RedisServerBuilder;
import io.belay.servers.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A Redis, which keeps what it has answered, behind a proxy for each client. */
final class RedisSite implements Site {
    private final RedisServer server;
    private final List<TcpProxy> proxies = new ArrayList<>();

    /** Starts the server; {@code setsClock} says whether its clock is to be set, for which it must be an older one. */
    RedisSite(int clients, boolean setsClock) throws IOException, InterruptedException {
        RedisServerBuilder builder = setsClock
                ? RedisServer.builder(RedisServer.Version.V6_2).clock(Duration.ZERO)
                : RedisServer.builder(RedisServer.Version.V7_0);
        // A grant that the server forgets is granted again, so what a lock rests on is on the disk.
        server = builder.options("--appendonly", "yes", "--appendfsync", "always")
                .start();
        for (int i = 0; i < clients; i++) {
            proxies.add(TcpProxy.to(server));
        }
    }

    @Override
    public String url(int client) {
        return proxies.get(client).url();
    }

    @Override
    public List<RedisServer> servers() {
        return redis();
    }

    @Override
    public List<RedisServer> redis() {
        return List.of(server);
    }

    @Override
    public List<TcpProxy> network(int client) {
        return List.of(proxies.get(client));
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
        server.close();
    }
}
