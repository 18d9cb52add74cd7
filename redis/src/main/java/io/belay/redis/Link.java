package io.belay.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, greeted, subscribed and checked, until it breaks. It is never mended but replaced by
 * another: so a command is sent at most once, and nobody mistakes a new server for the old one. Commands and pushes
 * share it where the server speaks RESP3, so that one cannot work while the other is dead.
 */
final class Link {
    /** What a link tells; called by Lettuce's threads. */
    interface Listener {
        void pushed(Link link, byte[] message);

        void broken(Link link);
    }

    private final StatefulRedisConnection<byte[], byte[]> commands;
    private final StatefulRedisPubSubConnection<byte[], byte[]> pushes;
    private final ServerInfo server;
    private final Scripts scripts;
    private final Failures failures;

    private volatile boolean asked;
    private volatile long answers;
    // Of the thread that watches.
    private long answersSeen;
    private boolean suspicious;

    Link(
            StatefulRedisConnection<byte[], byte[]> commands,
            StatefulRedisPubSubConnection<byte[], byte[]> pushes,
            ServerInfo server,
            Scripts scripts,
            Failures failures) {
        this.commands = commands;
        this.pushes = pushes;
        this.server = server;
        this.scripts = scripts;
        this.failures = failures;
    }

    /** Which run of which server this is. */
    long run() {
        return server.run();
    }

    Scripts scripts() {
        return scripts;
    }

    Failures failures() {
        return failures;
    }

    /** Subscribes to the client's channel and tries out every right that is needed. */
    CompletableFuture<Link> prepare(String channel, byte[] anyKey, Listener listener) {
        byte[] name = channel.getBytes(StandardCharsets.US_ASCII);
        RedisConnectionStateListener ends = new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                listener.broken(Link.this);
            }
        };
        commands.addListener(ends);
        if (commands != pushes) {
            pushes.addListener(ends);
        }
        pushes.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(byte[] from, byte[] message) {
                if (message.length > 0) { // the check's own is empty
                    listener.pushed(Link.this, message);
                }
            }
        });
        return pushes.async()
                .subscribe(name)
                .toCompletableFuture()
                .thenCompose(done -> check(anyKey, name, true))
                .thenCompose(heard -> check(anyKey, name, false))
                .thenApply(heard -> {
                    if (heard == 0) {
                        // Or the connection that was to hear it has just ended.
                        throw failures.unreachable("lets this client subscribe, but its messages do not arrive", null);
                    }
                    return this;
                });
    }

    private CompletableFuture<Long> check(byte[] anyKey, byte[] channel, boolean byText) {
        ScriptCall<Long> call = new ScriptCall<>(
                this, scripts.check, new byte[][] {anyKey}, new byte[][] {channel}, null, Outputs.number(), byText);
        dispatch(call);
        return call;
    }

    <T> CompletableFuture<T> run(
            Scripts.Script script,
            byte[] key,
            byte[] argument,
            @Nullable String resource,
            CommandOutput<byte[], byte[], T> output) {
        return run(script, new byte[][] {key}, new byte[][] {argument}, resource, output);
    }

    <T> CompletableFuture<T> run(
            Scripts.Script script,
            byte[][] keys,
            byte[][] arguments,
            @Nullable String resource,
            CommandOutput<byte[], byte[], T> output) {
        ScriptCall<T> call = new ScriptCall<>(this, script, keys, arguments, resource, output, false);
        dispatch(call);
        return call;
    }

    <T> void dispatch(RedisCommand<byte[], byte[], T> command) {
        if (!asked) {
            asked = true;
        }
        commands.dispatch(command);
    }

    /** A reply came. Called by the connection's own thread alone. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void heard() {
        answers++;
    }

    boolean isOpen() {
        return commands.isOpen() && pushes.isOpen();
    }

    /** Whether nothing has come since the last call but one, although something was asked before the last. */
    boolean isSilent() {
        boolean quiet = asked && answers == answersSeen;
        if (!quiet) {
            answersSeen = answers;
            asked = false;
        }
        boolean silent = quiet && suspicious;
        suspicious = quiet;
        return silent;
    }

    void close() {
        commands.closeAsync();
        if (commands != pushes) {
            pushes.closeAsync();
        }
    }
}
