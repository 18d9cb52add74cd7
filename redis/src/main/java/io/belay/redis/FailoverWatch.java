package io.belay.redis;

import io.belay.spi.StoreException;
import io.belay.support.Log;
import io.belay.support.LogName;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens to all sentinels for news of another master: so a client leaves a master that was replaced at once, though it
 * may still answer. The news is only a reason to ask: the sentinel that leads a fail-over tells it last, and one that was
 * cut off may tell what is old.
 */
final class FailoverWatch {
    private static final Log LOG = Log.of(LogName.STORE);
    private static final String NEWS = "+switch-master";
    private static final long PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 8_000;
    private static final long LOOK_MILLIS = 5_000;
    private static final long AGAIN_MILLIS = 1_000;
    /** The number of rounds after which sentinels that still do not agree are asked less often. */
    private static final int OFTEN = 60;

    private final Connector connector;
    private final Sentinels sentinels;
    private final Consumer<Address> master;
    private final Errand settling = new Errand("Asking all sentinels for the master");
    /** The errand for each sentinel that is listened to, or tried again and again. */
    private final Map<Address, Errand> ways = new ConcurrentHashMap<>();

    private final Map<Address, Subscription> subscriptions = new ConcurrentHashMap<>();
    /** The sentinels that do not let this client listen, as was told. */
    private final Set<Address> refusing = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /** Makes a watch that is yet to start. Lettuce's threads tell {@code master} where that is, each time one says so. */
    FailoverWatch(Connector connector, Sentinels sentinels, Consumer<Address> master) {
        this.connector = connector;
        this.sentinels = sentinels;
        this.master = master;
    }

    void start() {
        look();
        connector.every(this::look, LOOK_MILLIS);
    }

    /**
     * Asks each sentinel for a sign of life, as a connection may be dead without a word, and begins anew with those to which the
     * way came to an end, as for want of threads or memory.
     */
    private void look() {
        for (Address sentinel : connector.settings().addresses()) {
            Subscription present = subscriptions.get(sentinel);
            if (present != null) {
                present.ping();
            } else {
                way(sentinel).begin(() -> listen(sentinel, 0));
            }
        }
    }

    private Errand way(Address sentinel) {
        return ways.computeIfAbsent(sentinel, it -> new Errand("An attempt to listen to the sentinel at " + it));
    }

    void close() {
        closed = true;
    }

    /** Asks a sentinel where the master is. The future has what it says; null if nothing, or if the watch is closed. */
    private CompletableFuture<@Nullable MasterInfo> ask(Address sentinel) {
        Address before = sentinels.master();
        return sentinels.ask(sentinel).handle((told, error) -> {
            if (told == null || closed) {
                return null;
            }
            boolean believed = sentinels.believe(told);
            if (believed) {
                master.accept(told.address());
            }
            if (!believed || !told.address().equals(before)) {
                settle();
            }
            return told;
        });
    }

    /** Asks all of them, each second until they agree: one that was believed may have known half of it. */
    private void settle() {
        settling.begin(() -> askLater(1, AGAIN_MILLIS));
    }

    private void askLater(int round, long millis) {
        connector.later(settling.step(() -> askAll(round)), millis);
    }

    private void askAll(int round) {
        List<CompletableFuture<@Nullable MasterInfo>> told =
                connector.settings().addresses().stream().map(this::ask).toList();
        CompletableFuture.allOf(told.toArray(CompletableFuture[]::new))
                .thenCompose(done -> compare(told.stream()
                        .map(CompletableFuture::join)
                        .filter(Objects::nonNull)
                        .toList()))
                .whenComplete(settling.step((agreed, error) -> {
                    if (error == null && agreed) {
                        settling.end();
                    } else if (!closed) {
                        askLater(round + 1, round < OFTEN ? AGAIN_MILLIS : 10 * AGAIN_MILLIS);
                    }
                }));
    }

    /**
     * Tells whether those agree who said something. Sentinels that were set up anew are believed where a master is: they may
     * name what was one when they were set up first, and is a replica.
     */
    private CompletableFuture<Boolean> compare(List<MasterInfo> told) {
        MasterInfo anew = sentinels.anew(told);
        if (anew == null) {
            return CompletableFuture.completedFuture(sentinels.agree(told));
        }
        return connector.at(anew.address(), 0).ask(commands -> commands.info()).handle((info, error) -> {
            if (error == null && !closed && !new ServerInfo(info).isReplica()) {
                sentinels.believeAnew(anew);
                master.accept(anew.address());
            }
            return false; // they are asked again, as one may know more by now
        });
    }

    private void listen(Address sentinel, int failures) {
        if (closed) {
            return;
        }
        Settings one = one(sentinel);
        connector.insist(() -> connect(one)).whenComplete(way(sentinel).step((connection, error) -> {
            if (connection == null) {
                noteFailure(sentinel, error);
                listenAgain(sentinel, failures + 1);
            } else if (closed) {
                connector.close(connection);
            } else {
                new Subscription(connection, sentinel, failures).begin();
            }
        }));
    }

    private Settings one(Address sentinel) {
        return connector.settings().ofSentinel(sentinel, connector.settings().timeout());
    }

    /** Tells once of a sentinel that refuses what listening takes: nothing else shows it before the fail-over that is missed. */
    private void noteFailure(Address sentinel, Throwable error) {
        if (closed) {
            return;
        }
        Settings one = one(sentinel);
        StoreException why = connector.failuresOf(one).of(error, one.timeout());
        if (!why.isTemporary() && refusing.add(sentinel)) {
            LOG.warn("{}. Until this client may listen there it may hear late of a fail-over", why.getMessage());
        } else {
            LOG.debug("{}; trying again", why.getMessage());
        }
    }

    /** Tries whether a sentinel lets a user listen; returns whether it refuses that. */
    CompletableFuture<Boolean> isRefused(Address sentinel) {
        Settings one = one(sentinel);
        return connector
                .insist(() -> connect(one))
                .thenCompose(connection -> inTime(connection.async().subscribe(NEWS))
                        .thenCompose(done -> inTime(connection.async().ping()))
                        .whenComplete((pong, error) -> connector.close(connection)))
                .handle((pong, error) -> error != null
                        && !connector.failuresOf(one).of(error, one.timeout()).isTemporary());
    }

    private <T> CompletableFuture<T> inTime(CompletionStage<T> answer) {
        return answer.toCompletableFuture()
                .orTimeout(connector.settings().timeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    private CompletableFuture<StatefulRedisPubSubConnection<String, String>> connect(Settings one) {
        Silence silence = connector.silence(connector.failuresOf(one), one.timeout());
        return silence.limit(
                silence.over(() -> connector.client.connectPubSubAsync(StringCodec.UTF8, one.uri(one.credentials()))),
                connector::close);
    }

    private void listenAgain(Address sentinel, int failures) {
        long pause = Math.min(LONGEST_PAUSE_MILLIS, PAUSE_MILLIS << Math.min(failures, 10));
        connector.later(way(sentinel).step(() -> listen(sentinel, failures)), pause);
    }

    /** Returns whether the news is of the master of that name. */
    static boolean isAbout(String message, String name) {
        return message.startsWith(name + " ");
    }

    /** The subscription to one sentinel, until its connection ends. */
    private final class Subscription extends RedisPubSubAdapter<String, String>
            implements RedisConnectionStateListener {
        private final StatefulRedisPubSubConnection<String, String> connection;
        private final Address sentinel;
        /** The step that follows once its connection has ended. */
        private final Runnable over;

        private volatile int failures;

        Subscription(StatefulRedisPubSubConnection<String, String> connection, Address sentinel, int failures) {
            this.connection = connection;
            this.sentinel = sentinel;
            this.failures = failures;
            over = way(sentinel).step(() -> {
                connector.close(connection);
                listenAgain(sentinel, this.failures + 1);
            });
        }

        void begin() {
            if (subscriptions.putIfAbsent(sentinel, this) != null) {
                connector.close(connection);
                return;
            }
            try {
                connection.addListener((RedisConnectionStateListener) this);
                connection.addListener((RedisPubSubListener<String, String>) this);
                inTime(connection.async().subscribe(NEWS)).whenComplete((done, error) -> {
                    if (error != null || !connection.isOpen()) {
                        end(error);
                    } else {
                        failures = 0;
                        ask(sentinel); // it may have changed before this subscription began
                    }
                });
            } catch (Throwable e) { // or it would be taken for one that listens
                end();
                throw e;
            }
        }

        @Override
        public void message(String channel, String message) {
            if (isAbout(message, connector.settings().place().master())) {
                ask(sentinel);
            }
        }

        void ping() {
            inTime(connection.async().ping()).whenComplete((pong, error) -> {
                if (error != null) {
                    end(error);
                } else if (refusing.remove(sentinel)) { // it takes both rights
                    LOG.info("The sentinel at {} lets this client listen again", sentinel);
                }
            });
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> gone) {
            end();
        }

        private void end() {
            end(null);
        }

        private void end(@Nullable Throwable error) {
            if (subscriptions.remove(sentinel, this)) {
                if (error != null) {
                    noteFailure(sentinel, error);
                }
                over.run();
            }
        }
    }
}
