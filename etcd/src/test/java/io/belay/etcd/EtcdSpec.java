package io.belay.etcd;

import io.belay.node.Nodes;
import io.belay.servers.EtcdServer;
import io.belay.servers.Pace;
import io.belay.servers.TcpProxy;
import io.belay.tck.HalfOpening;
import io.belay.tck.Line;
import io.belay.tck.StoreSpec;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The members of an etcd that tests share, with a prefix of each one's own. Every client knows all members. */
final class EtcdSpec implements StoreSpec {
    private final String prefix = UUID.randomUUID() + "/";
    private final String[] endpoints;
    private final String url;
    private final List<TcpProxy> proxies = new ArrayList<>();

    EtcdSpec(List<EtcdServer> members) throws IOException {
        for (EtcdServer member : members) {
            proxies.add(TcpProxy.to(member));
        }
        endpoints = members.stream()
                .map(member -> "http://127.0.0.1:" + member.port())
                .toArray(String[]::new);
        url = url(members.stream().map(EtcdServer::port));
    }

    private String url(Stream<Integer> ports) {
        return ports.map(port -> "127.0.0.1:" + port).collect(Collectors.joining(",", "etcd://", "?prefix=" + prefix));
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public Optional<Nodes> nodes() {
        // Who asks here is told of an answer that is late, and does not ask again.
        Connection connection = EtcdStoreProvider.connect(EtcdUrl.parse(url + "&timeout=1m"), false);
        Keys keys = new Keys(prefix);
        return Optional.of(new EtcdNodes(connection, keys, LayoutKey.check(connection, keys), 1));
    }

    /** All that is said of its claims; what their keys say stays. */
    @Override
    public boolean damage(String resource) throws Exception {
        ByteSequence claims = new Keys(prefix).claims(resource);
        ByteSequence rubbish = ByteSequence.from("rubbish", StandardCharsets.UTF_8);
        try (Client client = Client.builder().endpoints(endpoints).build()) {
            KV kv = client.getKVClient();
            GetOption all = GetOption.builder().isPrefix(true).build();
            for (KeyValue found :
                    kv.get(claims, all).get(Pace.seconds(), TimeUnit.SECONDS).getKvs()) {
                kv.put(found.getKey(), rubbish).get(Pace.seconds(), TimeUnit.SECONDS);
            }
        }
        return true;
    }

    @Override
    public Optional<Line> line() {
        return Optional.of(new ProxyLine());
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
    }

    private final class ProxyLine implements Line {
        @Override
        public String url() {
            return EtcdSpec.this.url(proxies.stream().map(TcpProxy::port)) + "&timeout="
                    + requestTimeout().toMillis() + "ms";
        }

        @Override
        public Duration requestTimeout() {
            return Duration.ofSeconds(1);
        }

        @Override
        public List<HalfOpening> halfOpenings() {
            return HalfOpening.of(
                    proxies.stream().map(proxy -> (IntSupplier) proxy::halfOpen).toList());
        }
    }

    @Override
    public boolean actsUnasked() {
        return true;
    }

    @Override
    public boolean keepsDeadlines() {
        return false;
    }

    @Override
    public boolean passesOverTheSilent() {
        return false;
    }

    /** A lease of etcd's ends up to so much later: it counts in whole seconds, and looks twice a second. */
    @Override
    public Duration endsWithin(Duration lease) {
        return lease.plusSeconds(2);
    }
}
