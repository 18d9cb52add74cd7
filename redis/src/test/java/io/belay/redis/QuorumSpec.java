package io.belay.redis;

import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import io.belay.tck.HalfOpening;
import io.belay.tck.Line;
import io.belay.tck.StoreSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Three servers of its own, with a proxy before each. */
final class QuorumSpec implements StoreSpec {
    private final QuorumServers servers = new QuorumServers(3, "longest-lease=10m&member-timeout=5s");
    private final List<TcpProxy> proxies = new ArrayList<>();

    QuorumSpec() throws IOException, InterruptedException {
        for (RedisServer server : servers.all()) {
            proxies.add(TcpProxy.to(server));
        }
    }

    @Override
    public String url() {
        return servers.url();
    }

    @Override
    public boolean queues() {
        return false;
    }

    @Override
    public Optional<Line> line() {
        return Optional.of(new ProxyLine());
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
        servers.close();
    }

    private final class ProxyLine implements Line {
        /** As patient with its members as a client is that says nothing of it. */
        @Override
        public String url() {
            String url = servers.url().replaceFirst("&member-timeout=5s$", "");
            for (int i = 0; i < proxies.size(); i++) {
                url = url.replace(servers.server(i).url(), proxies.get(i).url());
            }
            return url;
        }

        /** A member's own. */
        @Override
        public Duration requestTimeout() {
            return Duration.ofSeconds(2);
        }

        @Override
        public List<HalfOpening> halfOpenings() {
            return HalfOpening.of(
                    proxies.stream().map(proxy -> (IntSupplier) proxy::halfOpen).toList());
        }
    }
}
