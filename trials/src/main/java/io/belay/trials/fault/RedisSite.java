package io.belay.trials.fault;

import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One Redis, which keeps what it has answered, behind a proxy for each client. */
final class RedisSite implements Site {
    private final RedisServer server;
    private final List<TcpProxy> proxies = new ArrayList<>();

    RedisSite(int clients) throws IOException, InterruptedException {
        // A grant that the server forgets is granted again, so what a lock rests on is on the disk.
        server = RedisServer.start(RedisServer.Version.V7_0, "--appendonly", "yes", "--appendfsync", "always");
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
