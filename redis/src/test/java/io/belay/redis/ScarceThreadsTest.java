package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.servers.FakeRedis;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Store;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Error between the end of a connection and the next one, as for want of threads or memory: it is over some time. */
class ScarceThreadsTest {
    /** Threads of which one cannot be had when it is asked for. */
    private static final class Scarce extends DefaultEventExecutorGroup {
        /** Which of the tasks from now on is put off in vain; none if not positive. */
        final AtomicInteger failing = new AtomicInteger();

        Scarce() {
            super(2);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            if (failing.getAndDecrement() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return super.schedule(task, delay, unit);
        }
    }

    private final Scarce threads = new Scarce();
    private final ClientResources resources =
            ClientResources.builder().eventExecutorGroup(threads).build();

    @AfterEach
    void end() {
        resources.shutdown().awaitUninterruptibly();
        threads.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void aServerIsConnectedToAgain(int which) throws Exception {
        RecordingListener listener = new RecordingListener();
        try (RedisServer redis = RedisServer.start(Version.V7_0);
                Store store = Redis.at(redis.url()).withResources(resources).open(1, listener)) {
            threads.failing.set(which);
            redis.kill();
            await().until(() -> threads.failing.get() <= 0);
            redis.startAgain();
            await().until(() -> listener.reconnects.get() > 0);
            assertThat(store.inspect("x").toCompletableFuture()).succeedsWithin(Pace.patience());
        }
    }

    private void connectAgain(Runnable locating, Runnable failed) throws Exception {
        CompletableFuture<Void> again = new CompletableFuture<>();
        ServerConnection.Owner owner = new ServerConnection.Owner() {
            @Override
            public void pushed(Link from, byte[] message) {}

            @Override
            public void failed(ServerConnection node) {
                failed.run();
            }

            @Override
            public void connectedAgain(ServerConnection node) {
                again.complete(null);
            }
        };
        try (RedisServer redis = RedisServer.start(Version.V7_0)) {
            Connector connector = Redis.at(redis.url()).withResources(resources).connector();
            ServerConnection node = new ServerConnection(
                    connector,
                    () -> {
                        locating.run();
                        return CompletableFuture.completedFuture(connector);
                    },
                    "belay:" + Wire.hex(1),
                    owner);
            try {
                node.connect().join();
                redis.command("CLIENT", "KILL", "TYPE", "pubsub");
                assertThat(again).succeedsWithin(Pace.patience());
            } finally {
                node.close();
                connector.close();
            }
        }
    }

    private static void fail() {
        throw new OutOfMemoryError("made up");
    }

    /** As one does that begins to connect to a sentinel. */
    @Test
    void whoFindsOutWhereAServerIsMayFail() throws Exception {
        AtomicInteger located = new AtomicInteger();
        connectAgain(
                () -> {
                    if (located.incrementAndGet() == 2) {
                        fail();
                    }
                },
                () -> {});
    }

    /** As one does that asks where a cluster's slots are. */
    @Test
    void whoHearsOfTheEndMayFail() throws Exception {
        connectAgain(() -> {}, ScarceThreadsTest::fail);
    }

    @Test
    void aSentinelIsListenedToAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (FakeRedis sentinel = FakeRedis.start(name -> {
            if (name.equals("SUBSCRIBE")) {
                asked.incrementAndGet();
            }
            return name.equals("PING") ? "+PONG" : "-ERR not now";
        })) {
            Connector connector = Redis.at("redis-sentinel://127.0.0.1:" + sentinel.port() + "?master=m&protocol=resp2")
                    .withResources(resources)
                    .connector();
            FailoverWatch watch = new FailoverWatch(connector, new Sentinels(connector), master -> {});
            threads.failing.set(1); // which is to try again
            watch.start();
            await().until(() -> asked.get() > 1);
            assertThat(threads.failing.get()).isNotPositive();
            watch.close();
            connector.close();
        }
    }

    /** Throws what cannot even be told: a text of it needs memory, too. */
    private static void failWithoutAWord() {
        throw new OutOfMemoryError() {
            private static final long serialVersionUID = 1;

            @Override
            public String toString() {
                throw this;
            }
        };
    }

    @Test
    void whatIsRunAgainAndAgainIsSoThoughItsFailureCannotBeTold() {
        AtomicInteger runs = new AtomicInteger();
        ClientThreads.lent(resources)
                .every(
                        () -> {
                            if (runs.incrementAndGet() == 1) {
                                failWithoutAWord();
                            }
                        },
                        1);
        await().until(() -> runs.get() > 1);
    }

    @Test
    void anErrandIsBegunAnewThoughItsFailureCannotBeTold() {
        Errand errand = new Errand("It");
        AtomicInteger begun = new AtomicInteger();
        errand.begin(ScarceThreadsTest::failWithoutAWord);
        errand.begin(() -> {
            begun.incrementAndGet();
            CompletableFuture.completedFuture("").whenComplete(errand.step((done, error) -> failWithoutAWord()));
        });
        errand.begin(begun::incrementAndGet);
        errand.begin(begun::incrementAndGet);
        assertThat(begun).as("the last one was under way").hasValue(2);
    }
}
