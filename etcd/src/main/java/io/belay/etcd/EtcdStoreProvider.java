package io.belay.etcd;

import io.belay.node.NodeStore;
import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreProvider;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Opens {@code etcd://HOST:PORT,...} and, by TLS, {@code etcds://HOST:PORT,...}. With {@code USER:PASSWORD@} before
 * the hosts; {@code prefix=} before all keys ({@code belay/}), {@code timeout=} for an answer (2s),
 * {@code token-epoch=} to lift the tokens above those of a backup that was restored; {@code ca=}, {@code cert=} and
 * {@code key=} name files in PEM.
 */
public final class EtcdStoreProvider implements StoreProvider {
    private static final String IN_TURN = "round_robin";

    /** Servers hang up on those who ping more often. */
    private static final Duration PING = Duration.ofSeconds(10);

    /** The most bytes of an answer, which has all claims of a resource; gRPC's own limit is 4 MiB. */
    private static final int LARGEST_ANSWER = 64 << 20;

    /** Makes a provider, for {@link java.util.ServiceLoader}. */
    public EtcdStoreProvider() {}

    @Override
    public Set<String> schemes() {
        return EtcdUrl.SCHEMES;
    }

    @Override
    public Store open(String url, long client, Store.Listener listener) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(listener, "listener");
        EtcdUrl parsed = EtcdUrl.parse(url);
        Keys keys = new Keys(parsed.prefix());
        return open(connect(parsed, true), keys, client, listener);
    }

    static Store open(Connection connection, Keys keys, long client, Store.Listener listener) {
        try {
            LayoutKey layout = LayoutKey.check(connection, keys);
            return new NodeStore("belay-etcd", new EtcdNodes(connection, keys, layout, client), listener);
        } catch (RuntimeException | Error e) { // an error as well, as for want of threads
            connection.close();
            throw e;
        }
    }

    /** Looks at the URL alone: nothing has to be made. */
    @Override
    public Optional<String> schema(String url) {
        Objects.requireNonNull(url, "url");
        var unused = EtcdUrl.parse(url);
        return Optional.empty();
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        EtcdUrl parsed = EtcdUrl.parse(url);
        try (Connection connection = connect(parsed, true)) {
            LayoutKey.check(connection, new Keys(parsed.prefix()));
            return Examination.of(connection, parsed);
        }
    }

    /**
     * Connects.
     *
     * @param spread whether calls go to all members in turn, whichever a call is meant for
     */
    static Connection connect(EtcdUrl url, boolean spread) {
        ClientBuilder builder = Client.builder()
                .target(EtcdUrl.target(url.addresses()))
                .connectTimeout(url.timeout())
                .maxInboundMessageSize(LARGEST_ANSWER)
                // Where no member can be reached it would be sent when nobody waits for it any more.
                .waitForReady(false)
                .retryMaxAttempts(0)
                .executorService(new DirectExecutor())
                // A member that is silent would otherwise be asked again and again.
                .loadBalancerPolicy(IN_TURN)
                .keepaliveTime(PING)
                // Servers hang up on those who ping while they ask for nothing.
                .keepaliveWithoutCalls(false)
                .keepaliveTimeout(url.timeout());
        if (url.password() != null) {
            builder.user(bytes(url.user())).password(bytes(url.password()));
            // A login ends when it was idle for some minutes, and when the server restarts. The request that learns of
            // it was not run; what may have been run, and changes claims, is not sent again by that.
            builder.retryMaxAttempts(1).retryDelay(10).authInterceptors(new LoginBrake(System::nanoTime));
        }
        if (url.tls() != null) {
            url.tls().addTo(builder);
        }
        if (!spread) {
            return new Connection(builder.build(), () -> {}, url);
        }
        MemberAddresses members = new MemberAddresses(url.addresses(), InetAddress::getAllByName);
        Channels channels = new Channels(() -> channel(builder, url, members), url.timeout(), System::nanoTime);
        try {
            return new Connection(builder.interceptor(channels).build(), channels::close, url, members(url));
        } catch (RuntimeException | Error e) {
            channels.close();
            throw e;
        }
    }

    private static List<Supplier<Connection>> members(EtcdUrl url) {
        return url.addresses().size() == 1
                ? List.of()
                : url.addresses().stream()
                        .<Supplier<Connection>>map(address -> () -> connect(url.at(address), false))
                        .toList();
    }

    @SuppressWarnings("deprecation") // the other way is to register it for all channels of this JVM
    static ManagedChannel channel(ClientBuilder from, EtcdUrl url, MemberAddresses members) {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget(from.target())
                .nameResolverFactory(members)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        url.timeout().toMillis())
                .maxInboundMessageSize(LARGEST_ANSWER)
                .defaultLoadBalancingPolicy(IN_TURN)
                // Only so it is known which member has a call; and what may have been done is never sent again.
                .disableRetry()
                .keepAliveTime(PING.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(url.timeout().toMillis(), TimeUnit.MILLISECONDS);
        return from.sslContext() == null
                ? builder.usePlaintext().build()
                : builder.sslContext(from.sslContext()).build();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }
}
