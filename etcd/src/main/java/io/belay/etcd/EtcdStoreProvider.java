package io.belay.etcd;

import io.belay.node.NodeStore;
import io.belay.spi.Finding;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreProvider;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Opens {@code etcd://HOST:PORT,...} and, by TLS, {@code etcds://HOST:PORT,...}. With {@code USER:PASSWORD@} before
 * the hosts; {@code prefix=} before all keys ({@code belay/}), {@code timeout=} for an answer (2s),
 * {@code token-epoch=} to lift the tokens above those of a backup that was restored; {@code ca=}, {@code cert=} and
 * {@code key=} name files in PEM.
 */
public final class EtcdStoreProvider implements StoreProvider {
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
        Connection connection = connect(parsed);
        LayoutKey layout;
        try {
            layout = LayoutKey.check(connection, keys);
        } catch (StoreException e) {
            connection.close();
            throw e;
        }
        return new NodeStore("belay-etcd", new EtcdNodes(connection, keys, layout), listener);
    }

    @Override
    public List<Finding> examine(String url) {
        Objects.requireNonNull(url, "url");
        EtcdUrl parsed = EtcdUrl.parse(url);
        try (Connection connection = connect(parsed)) {
            LayoutKey.check(connection, new Keys(parsed.prefix()));
            return Examination.of(connection, parsed);
        }
    }

    static Connection connect(EtcdUrl url) {
        ClientBuilder builder = Client.builder()
                .endpoints(url.endpoints())
                .connectTimeout(url.timeout())
                // What waits for a connection would be sent when nobody waits for it any more.
                .waitForReady(false)
                .retryMaxAttempts(0)
                .executorService(new DirectExecutor())
                .interceptor(new DirectInterceptor())
                // A member that is silent would otherwise be asked again and again.
                .loadBalancerPolicy("round_robin")
                .keepaliveTime(Duration.ofSeconds(10))
                // Servers hang up on those who ping while they ask for nothing.
                .keepaliveWithoutCalls(false)
                .keepaliveTimeout(url.timeout());
        if (url.password() != null) {
            builder.user(bytes(url.user())).password(bytes(url.password()));
            // A login ends when it was idle for some minutes, and when the server restarts. The request that learns of
            // it was not run; what may have been run, and changes claims, is not sent again by that.
            builder.retryMaxAttempts(1).retryDelay(10);
        }
        if (url.tls() != null) {
            url.tls().addTo(builder);
        }
        return new Connection(builder.build(), url);
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }
}
