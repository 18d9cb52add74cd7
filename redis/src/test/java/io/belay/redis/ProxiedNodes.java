package io.belay.redis;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import io.belay.tck.HalfOpening;
import io.belay.tck.Line;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A line to servers that tell clients each other's addresses, with a proxy before each: Lettuce is lent a resolver that
 * finds the proxy wherever a server is named.
 */
final class ProxiedNodes implements Line, AutoCloseable {
    private static final Duration SHUTDOWN = Duration.ofSeconds(5);

    private final String url;
    private final Map<Integer, TcpProxy> proxies = new HashMap<>();
    private final ClientResources resources;

    ProxiedNodes(String url, List<RedisServer> servers) throws IOException {
        this.url = url;
        for (RedisServer server : servers) {
            proxies.put(server.port(), TcpProxy.to(server));
        }
        resources = ClientResources.builder()
                .socketAddressResolver(new SocketAddressResolver() {
                    @Override
                    public SocketAddress resolve(RedisURI uri) {
                        TcpProxy proxy = proxies.get(uri.getPort());
                        return new InetSocketAddress("127.0.0.1", proxy == null ? uri.getPort() : proxy.port());
                    }
                })
                .build();
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public Belay connect(BelayOptions options) {
        return Belay.connect(Redis.at(url).withResources(resources), options);
    }

    /** The store's own. */
    @Override
    public Duration requestTimeout() {
        return Duration.ofSeconds(2);
    }

    /** Not all servers have a connection. */
    @Override
    public List<HalfOpening> halfOpenings() {
        return HalfOpening.of(List.of(
                () -> proxies.values().stream().mapToInt(TcpProxy::halfOpen).sum()));
    }

    @Override
    public void close() {
        proxies.values().forEach(TcpProxy::close);
        resources.shutdown(0, SHUTDOWN.toSeconds(), TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
