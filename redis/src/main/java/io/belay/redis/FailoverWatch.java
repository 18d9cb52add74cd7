package io.belay.redis;

import io.belay.spi.Log;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens to a sentinel for news of another master, and to the next one when that falls silent: so a client leaves a
 * master that was replaced at once, though it may still answer.
 */
final class FailoverWatch {
    private static final Log LOG = Log.of(FailoverWatch.class);
    private static final String NEWS = "+switch-master";
    private static final long PAUSE_MILLIS = 500;
    private static final long PING_MILLIS = 5_000;

    private final Connector connector;
    private final Sentinels sentinels;
    private final Consumer<Address> moved;
    private final List<Address> all;
    private volatile boolean closed;

    /** Makes a watch that is yet to start. Lettuce's threads tell {@code moved} where the master is now. */
    FailoverWatch(Connector connector, Sentinels sentinels, Consumer<Address> moved) {
        this.connector = connector;
        this.sentinels = sentinels;
        this.moved = moved;
        all = connector.settings().addresses();
    }

    void start() {
        listen(0);
    }

    void close() {
        closed = true;
    }

    private void listen(int turn) {
        if (closed) {
            return;
        }
        Address sentinel = all.get(turn % all.size());
        Settings one =
                connector.settings().ofSentinel(sentinel, connector.settings().timeout());
        Silence silence = connector.silence(new Failures(one), one.timeout());
        silence.limit(
                        silence.over(() ->
                                connector.client.connectPubSubAsync(StringCodec.UTF8, one.uri(one.credentials()))),
                        connector::close)
                .whenComplete((connection, error) -> {
                    if (connection == null) {
                        LOG.debug("{} cannot be listened to: {}", one.address(), String.valueOf(error));
                        next(turn);
                    } else if (closed) {
                        connector.close(connection);
                    } else {
                        new Subscription(connection, sentinel, turn).begin();
                    }
                });
    }

    private void next(int turn) {
        if (!closed) {
            connector.later(() -> listen(turn + 1), PAUSE_MILLIS);
        }
    }

    /** Reads {@code NAME OLD-HOST OLD-PORT NEW-HOST NEW-PORT}; null if it is something else. */
    static @Nullable Address newMaster(String message, String name) {
        String[] words = message.split(" ", -1);
        return words.length == 5 && words[0].equals(name) && words[4].matches("\\d{1,5}")
                ? new Address(words[3], Integer.parseInt(words[4]))
                : null;
    }

    /** The subscription to one sentinel, until its connection ends. */
    private final class Subscription extends RedisPubSubAdapter<String, String>
            implements RedisConnectionStateListener {
        private final StatefulRedisPubSubConnection<String, String> connection;
        private final Address sentinel;
        private final int turn;
        private final AtomicBoolean ended = new AtomicBoolean();

        Subscription(StatefulRedisPubSubConnection<String, String> connection, Address sentinel, int turn) {
            this.connection = connection;
            this.sentinel = sentinel;
            this.turn = turn;
        }

        void begin() {
            connection.addListener((RedisConnectionStateListener) this);
            connection.addListener((RedisPubSubListener<String, String>) this);
            connection.async().subscribe(NEWS).whenComplete((done, error) -> {
                if (error != null || !connection.isOpen()) {
                    end();
                } else {
                    catchUp();
                    ping();
                }
            });
        }

        /** Asks the sentinel where the master is, which may have changed before this subscription began. */
        private void catchUp() {
            sentinels.ask(sentinel).thenAccept(told -> {
                if (told != null && sentinels.isNews(told)) {
                    moved.accept(told.address());
                }
            });
        }

        @Override
        public void message(String channel, String message) {
            Address now = newMaster(message, connector.settings().place().master());
            if (now != null) {
                moved.accept(now);
            }
        }

        /** Asks the sentinel for a sign of life now and then: the connection may be dead without a word. */
        private void ping() {
            connector.later(
                    () -> {
                        if (closed || ended.get()) {
                            return;
                        }
                        connection
                                .async()
                                .ping()
                                .toCompletableFuture()
                                .orTimeout(connector.settings().timeout().toMillis(), TimeUnit.MILLISECONDS)
                                .whenComplete((pong, error) -> {
                                    if (error == null) {
                                        ping();
                                    } else {
                                        end();
                                    }
                                });
                    },
                    PING_MILLIS);
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> gone) {
            end();
        }

        private void end() {
            if (ended.compareAndSet(false, true)) {
                connector.close(connection);
                next(turn);
            }
        }
    }
}
