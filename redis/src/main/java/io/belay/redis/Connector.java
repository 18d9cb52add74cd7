package io.belay.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes links to one server. */
final class Connector {
    /** How often to ask a server that refused too quickly for its reason to be heard. */
    private static final int ATTEMPTS = 3;

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

    Settings settings() {
        return settings;
    }

    private void speak(boolean version3) {
        resp3 = version3;
        ProtocolVersion version = version3 ? ProtocolVersion.RESP3 : ProtocolVersion.RESP2;
        client.setOptions(client.getOptions().mutate().protocolVersion(version).build());
    }

    /** Connects, checks the server, subscribes to the channel; fails with whatever went wrong, nothing left open. */
    CompletableFuture<Link> connect(String channel, Link.Listener listener, Duration longest) {
        return insist(() -> open(channel, listener, longest));
    }

    /** Tries in RESP2 where the server knows no more, and again where it refused too quickly for its reason to be heard. */
    <T> CompletableFuture<T> insist(Supplier<CompletableFuture<T>> attempt) {
        return insist(attempt, ATTEMPTS);
    }

    private <T> CompletableFuture<T> insist(Supplier<CompletableFuture<T>> attempt, int attempts) {
        CompletableFuture<T> made = attempt.get();
        return made.handle((result, error) -> {
                    if (error != null && resp3 && needsResp2(error)) {
                        speak(false);
                        return insist(attempt, attempts);
                    }
                    boolean again = error != null && attempts > 1 && Failures.isWithoutReason(error);
                    return again ? insist(attempt, attempts - 1) : made;
                })
                .thenCompose(outcome -> outcome);
    }

    /** Whether the server is too old for HELLO, or 6.2 forbids it to the default user, who is asked before the login. */
    private static boolean needsResp2(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            String message = String.valueOf(e.getMessage());
            if (message.startsWith("NOPROTO")
                    || message.startsWith("ERR unknown command")
                    || (message.startsWith("NOPERM") && message.contains("'hello'"))) {
                return true;
            }
        }
        return false;
    }

    /** What comes too late is closed. */
    private CompletableFuture<Link> open(String channel, Link.Listener listener, Duration longest) {
        CompletableFuture<Link> inTime =
                new CompletableFuture<Link>().orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS);
        attempt(channel, listener).whenComplete((link, error) -> {
            if (error != null) {
                inTime.completeExceptionally(error);
            } else if (!inTime.complete(link)) {
                link.close();
            }
        });
        return inTime;
    }

    private CompletableFuture<Link> attempt(String channel, Link.Listener listener) {
        if (credentials == null) {
            return attempt(settings.uri(settings.credentials()), channel, listener);
        }
        return credentials
                .resolveCredentials()
                .toFuture()
                .thenCompose(login -> attempt(settings.uri(login), channel, listener));
    }

    private CompletableFuture<Link> attempt(RedisURI uri, String channel, Link.Listener listener) {
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> pushes =
                client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
        if (resp3) {
            return pushes.thenCompose(both -> greet(both, both, channel, listener));
        }
        return pushes.thenCompose(second -> unlessFailed(
                        client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture(), second)
                .thenCompose(first -> greet(first, second, channel, listener)));
    }

    private CompletableFuture<Link> greet(
            StatefulRedisConnection<byte[], byte[]> commands,
            StatefulRedisPubSubConnection<byte[], byte[]> pushes,
            String channel,
            Link.Listener listener) {
        CompletableFuture<Link> greeted = commands.async()
                .info()
                .toCompletableFuture()
                .thenApply(info -> check(new ServerInfo(info)))
                .thenCompose(server -> new Link(
                                commands, pushes, server, server.isAtLeast(7, 0) ? scriptsOfSeven : scripts, failures)
                        .prepare(channel, settings.key(""), listener))
                .orTimeout(settings.firstTimeout().toMillis(), TimeUnit.MILLISECONDS);
        return unlessFailed(unlessFailed(greeted, commands), pushes);
    }

    /** Closes the connection if it failed, and only then tells that it did. */
    private static <T> CompletableFuture<T> unlessFailed(
            CompletableFuture<T> result, StatefulConnection<?, ?> connection) {
        return result.handle((value, error) -> error == null || !connection.isOpen()
                        ? result
                        : connection
                                .closeAsync()
                                .handle((closed, failed) -> result)
                                .thenCompose(failed -> failed))
                .thenCompose(settled -> settled);
    }

    ServerInfo check(ServerInfo server) {
        if (!server.isAtLeast(6, 2)) {
            throw failures.unusable("is version '" + server.version() + "', too old: Belay needs 6.2 or later", null);
        } else if (server.isCluster()) {
            throw failures.unusable(Replies.CLUSTER, null);
        } else if (server.isReplica()) {
            throw failures.unreachable(Replies.REPLICA, null);
        }
        return server;
    }

    /** Runs a task later, on a thread that may not be blocked for long. */
    void later(Runnable task, long millis) {
        client.getResources().eventExecutorGroup().schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    /** Closes the connections, and ends the threads unless the application lent them. */
    void close() {
        try {
            client.shutdownAsync(0, 2, TimeUnit.SECONDS).join(); // whether or not the thread is interrupted
        } finally {
            client.getResources().shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }
}
