package io.belay.redis;

import io.belay.StoreMisconfiguredException;
import io.belay.spi.Store;
import io.belay.spi.StoreException;
import io.belay.spi.StoreOpener;
import io.belay.support.UrlVariables;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server to keep locks on, for those who set up more than a URL can say. Immutable: each method named
 * {@code with...} returns a changed copy.
 *
 * <pre>{@code
 * Belay belay = Belay.connect(Redis.at("rediss://cache:6380/2").withClient(redisClient), BelayOptions.defaults());
 * }</pre>
 *
 * <p>The URL is one of these, or the first three with {@code rediss} for TLS:
 *
 * <ul>
 *   <li>{@code redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]}: a server;
 *   <li>{@code redis-cluster://...}: one or more nodes of a cluster, separated by commas, from which the others are
 *       learned;
 *   <li>{@code redis-sentinel://...?master=NAME}: one or more sentinels, which are asked for the master at each
 *       connection and listened to for another one; user and password are the server's;
 *   <li>{@code unix:/PATH/OF/SOCKET}: a server on this machine.
 * </ul>
 *
 * <p>After a {@code ?}, separated by {@code &}, these may follow: {@code timeout} (such as {@code 500ms}; 2s, and 10s
 * for the first connection), {@code prefix} of keys and channels (belay:), {@code replicas} (0 to 10: how many are to
 * confirm a grant, see {@link io.belay.Lease#replicas()}; 0) within {@code replica-timeout} (100ms), {@code
 * replica-missing} ({@code grant}; {@code refuse}: a lock that fewer have confirmed is given back), {@code eviction}
 * ({@code warn}; {@code refuse}: not to connect to a server that may remove locks when its memory is full), {@code ca} (a PEM
 * file to trust), {@code cert} and {@code key} (PEM files of the client's own), {@code verify} ({@code full};
 * {@code ca}: not the host's name; {@code none}), {@code protocol} ({@code resp3}, else {@code resp2} with a second
 * connection for pushes), for sentinels {@code sentinel-user} and {@code sentinel-password}, and for a socket
 * {@code db}, {@code user} and {@code password}. In a user or password, {@code %} is written {@code %25}.
 *
 * <p>A server whose {@code maxmemory} is reached takes no new locks. From 7.0 on, what is held is renewed and released
 * all the same; before, it expires.
 */
public final class Redis implements StoreOpener {
    private final Settings settings;
    private final @Nullable RedisCredentialsProvider credentials;
    private final @Nullable ClientResources resources;
    private final ClientOptions options;

    private Redis(
            Settings settings,
            @Nullable RedisCredentialsProvider credentials,
            @Nullable ClientResources resources,
            ClientOptions options) {
        this.settings = settings;
        this.credentials = credentials;
        this.resources = resources;
        this.options = options;
    }

    /**
     * Returns a server by its URL.
     *
     * @param url may hold {@code ${NAME}} for the environment variable of that name
     * @throws io.belay.StoreMisconfiguredException if it is none
     */
    public static Redis at(String url) {
        Objects.requireNonNull(url, "url");
        try {
            return parse(UrlVariables.expand(url));
        } catch (StoreException | IllegalArgumentException e) {
            throw new StoreMisconfiguredException(String.valueOf(e.getMessage()), e);
        }
    }

    static Redis parse(String url) {
        return new Redis(Settings.parse(url), null, null, ClientOptions.create());
    }

    /** Shares the application's threads and timers. They are not shut down by Belay. */
    public Redis withResources(ClientResources resources) {
        Objects.requireNonNull(resources, "resources");
        return new Redis(settings, credentials, resources, options);
    }

    /**
     * Shares the threads, timers and options (sockets, TLS) of the application's client. The connection is one of
     * Belay's own, since it must neither repeat a command nor connect again by itself; the client stays as it is, and
     * is not shut down by Belay. What {@link #withSsl} was given before is replaced by the client's.
     */
    public Redis withClient(RedisClient client) {
        Objects.requireNonNull(client, "client");
        return new Redis(settings, credentials, client.getResources(), client.getOptions());
    }

    /** Takes user and password from a provider, not the URL; asked at each connection, on a thread it may block. */
    public Redis withCredentials(RedisCredentialsProvider credentials) {
        Objects.requireNonNull(credentials, "credentials");
        return new Redis(settings, credentials, resources, options);
    }

    /**
     * Sets what keys and channels begin with; {@code belay:} by default.
     *
     * @throws io.belay.StoreMisconfiguredException if it is not 1 to 64 letters, digits and characters of {@code _:./-}
     */
    public Redis withPrefix(String prefix) {
        Objects.requireNonNull(prefix, "prefix");
        return with(() -> settings.withPrefix(prefix));
    }

    /**
     * Sets how long a server may be silent that was asked, for a connection or anything else; 2 seconds by default,
     * and 10 seconds while the first connection is made. The time that this process takes itself, such as to load
     * code, does not count.
     *
     * @throws io.belay.StoreMisconfiguredException if it is not from 1 millisecond to 1 hour
     */
    public Redis withTimeout(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        return with(() -> settings.withTimeout(timeout));
    }

    /**
     * Sets how TLS is done, where PEM files do not say it.
     *
     * @throws io.belay.StoreMisconfiguredException if the URL does not begin with {@code rediss}
     */
    public Redis withSsl(SslOptions ssl) {
        Objects.requireNonNull(ssl, "ssl");
        refuseInClear();
        return new Redis(
                settings,
                credentials,
                resources,
                options.mutate().sslOptions(ssl).build());
    }

    /**
     * Sets the certificates to trust, in a PEM file; by default those of the JVM.
     *
     * @throws io.belay.StoreMisconfiguredException if the URL does not begin with {@code rediss}
     */
    public Redis withCaFile(Path ca) {
        Objects.requireNonNull(ca, "ca");
        refuseInClear();
        return with(() -> settings.withTls(settings.tls().withCa(ca)));
    }

    /**
     * Sets the certificate to show to the server, and its key, in PEM files.
     *
     * @throws io.belay.StoreMisconfiguredException if the URL does not begin with {@code rediss}
     */
    public Redis withCertificate(Path certificate, Path key) {
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
        refuseInClear();
        return with(() -> settings.withTls(settings.tls().withCertificate(certificate, key)));
    }

    private void refuseInClear() {
        if (!settings.secure()) {
            throw new StoreMisconfiguredException(
                    "The URL of Redis has no TLS, and what is given is for that; write rediss for redis in it", null);
        }
    }

    private Redis with(Supplier<Settings> changed) {
        try {
            return new Redis(changed.get(), credentials, resources, options);
        } catch (StoreException e) {
            throw new StoreMisconfiguredException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns one node of a cluster. */
    Redis at(Address address) {
        return with(() -> settings.at(address));
    }

    Settings settings() {
        return settings;
    }

    @Override
    public Store open(long client, Store.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        Connector connector = connector();
        try {
            return settings.cluster()
                    ? ClusterStore.connect(settings, connector, client, listener)
                    : RedisStore.connect(settings, connector, client, listener);
        } catch (RuntimeException | Error e) {
            connector.close();
            throw e;
        }
    }

    Connector connector() {
        ClientOptions changed = options();
        ClientThreads threads = resources == null ? ClientThreads.shared() : ClientThreads.lent(resources);
        try {
            RedisClient client = RedisClient.create(threads.resources());
            client.setOptions(changed);
            return new Connector(client, threads, settings, credentials);
        } catch (RuntimeException | Error e) {
            threads.giveBack();
            throw e;
        }
    }

    private ClientOptions options() {
        // The limits of Lettuce and Netty count what this process takes itself: before them it is given up, see
        // Silence.
        Duration late = settings.firstTimeout().plus(Silence.WORK);
        SocketOptions.Builder sockets = options.getSocketOptions().mutate().connectTimeout(late);
        if (!settings.socket().isEmpty()) {
            sockets.keepAlive(false); // which a unix socket knows nothing of
        }
        ClientOptions.Builder changed = options.mutate()
                // A command is sent at most once: who asked sends it again, under rules of its own.
                .autoReconnect(false)
                // The engine bounds what is under way; here a bound would fail commands on a sound connection.
                .requestQueueSize(Integer.MAX_VALUE)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                // Nor is there a timer for each: the engine has its own, and a silent connection is given up.
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(sockets.build());
        try {
            changed.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        } catch (LinkageError e) {
            // Lettuce 6, as Spring Boot 4.0 has it, knows no such notices.
        }
        settings.tls().apply(changed);
        SslOptions secured = changed.build().getSslOptions();
        return changed.sslOptions(secured.mutate().handshakeTimeout(late).build())
                .build();
    }
}
