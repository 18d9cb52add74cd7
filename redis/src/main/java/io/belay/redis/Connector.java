package io.belay.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes links to one server. */
final class Connector {
    final RedisClient client;
    private final Settings settings;
    private final Failures failures;
    private final @Nullable RedisCredentialsProvider credentials;
    private final Scripts scripts;
    private final Scripts scriptsOfSeven;
    private volatile boolean resp3;

    Connector(RedisClient client, Settings settings, @Nullable RedisCredentialsProvider credentials) {
        this.client = client;
        this.settings = settings;
        this.failures = new Failures(settings);
        this.credentials = credentials;
        scripts = new Scripts(settings.prefix(), false);
        scriptsOfSeven = new Scripts(settings.prefix(), true);
        speak(settings.resp3());
    }

    Failures failures() {
        return failures;
    }

    void speak(boolean version3) {
        resp3 = version3;
        ProtocolVersion version = version3 ? ProtocolVersion.RESP3 : ProtocolVersion.RESP2;
        client.setOptions(client.getOptions().mutate().protocolVersion(version).build());
    }

    /** Connects, checks the server, subscribes to the channel; fails with whatever went wrong, nothing left open. */
    CompletableFuture<Link> connect(String channel, Link.Listener listener) {
        CompletableFuture<Link> connected = open(channel, listener);
        if (!resp3) {
            return connected;
        }
        return connected
                .handle((link, error) -> {
                    if (error == null || !isTooOldForResp3(error)) {
                        return connected;
                    }
                    speak(false);
                    return open(channel, listener);
                })
                .thenCompose(result -> result);
    }

    static boolean isTooOldForResp3(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            String message = String.valueOf(e.getMessage());
            if (message.startsWith("NOPROTO") || message.startsWith("ERR unknown command")) {
                return true;
            }
        }
        return false;
    }

    private CompletableFuture<Link> open(String channel, Link.Listener listener) {
        RedisURI uri = settings.uri(credentials);
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> pushes =
                client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
        if (resp3) {
            return pushes.thenCompose(both -> greet(both, both, channel, listener));
        }
        return pushes.thenCompose(second -> client.connectAsync(ByteArrayCodec.INSTANCE, uri)
                .toCompletableFuture()
                .whenComplete((first, error) -> closeIf(error != null, second))
                .thenCompose(first -> greet(first, second, channel, listener)));
    }

    private CompletableFuture<Link> greet(
            StatefulRedisConnection<byte[], byte[]> commands,
            StatefulRedisPubSubConnection<byte[], byte[]> pushes,
            String channel,
            Link.Listener listener) {
        return commands.async()
                .info()
                .toCompletableFuture()
                .thenApply(info -> check(new ServerInfo(info)))
                .thenCompose(server -> new Link(
                                commands, pushes, server, server.isAtLeast(7, 0) ? scriptsOfSeven : scripts, failures)
                        .prepare(channel, settings.key(""), listener))
                .orTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((link, error) -> {
                    closeIf(error != null, commands);
                    closeIf(error != null && commands != pushes, pushes);
                });
    }

    private static void closeIf(boolean condition, StatefulConnection<?, ?> connection) {
        if (condition) {
            connection.closeAsync();
        }
    }

    ServerInfo check(ServerInfo server) {
        if (!server.isAtLeast(6, 2)) {
            throw failures.unusable("is version '" + server.version() + "', too old: Belay needs 6.2 or later", null);
        } else if (server.isCluster()) {
            throw failures.unusable("is a node of a cluster, which this URL does not do for", null);
        } else if (server.isReplica()) {
            throw failures.unreachable("is a replica, which cannot be written to; name its master", null);
        }
        return server;
    }

    /** Runs a task later, on a thread that may not be blocked for long. */
    void later(Runnable task, long millis) {
        client.getResources().eventExecutorGroup().schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    /** Closes the connections, and ends the threads unless the application lent them. */
    void close() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
