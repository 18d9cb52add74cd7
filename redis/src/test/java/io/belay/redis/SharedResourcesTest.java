package io.belay.redis;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.spi.Answer;
import io.belay.spi.ClaimId;
import io.belay.spi.ClaimSpec;
import io.belay.spi.Owner;
import io.belay.spi.Request;
import io.belay.spi.Store;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.resource.DefaultClientResources;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All clients of a process use the same threads and timers, until the last of them is closed. */
@Tag("long")
class SharedResourcesTest {
    private static final int CLIENTS = 40;
    private static final int THREADS = 8;

    private static RedisServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RedisServer.start(Version.V7_0);
        Belay.connect(server.url()).close();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @AfterEach
    void nothingIsLeft() {
        Told.assertNoThreads();
        Told.assertNoConnections(server);
    }

    private static void use(Belay belay) throws InterruptedException {
        try (Lease lease = belay.lock("x").tryAcquire(Duration.ofSeconds(30)).orElseThrow()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Else what other servers answer, which the same threads read, would come late. */
    @Test
    void clientsOfAServerThatIsAwayDoNotAllTryAsOftenAsOne() throws Exception {
        List<Belay> clients = new ArrayList<>();
        try (RedisServer away = RedisServer.start(Version.V7_0)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Belay.connect(away.url()));
            }
            away.kill();
            int tries = 0;
            long begun = System.nanoTime();
            long millis = 0;
            try (ServerSocket closing = new ServerSocket(away.port())) {
                closing.setSoTimeout(1_000);
                for (; millis < 1_000; millis = NANOSECONDS.toMillis(System.nanoTime() - begun)) {
                    closing.accept().close();
                    tries++;
                }
            } catch (SocketTimeoutException e) {
                millis = NANOSECONDS.toMillis(System.nanoTime() - begun); // nobody was run, and nobody has tried
            }
            assertThat(tries)
                    .as("tries of %d clients in %d ms", CLIENTS, millis)
                    .isLessThan(CLIENTS + 4 * (int) millis / 50);
        } finally {
            clients.forEach(Belay::close);
        }
    }

    /** The names of the threads that begin like this; Netty goes on with the number of the pool. */
    private static List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.matches(prefix + ".*"))
                .toList();
    }

    private static void assertOneSet() {
        List<String> loops = threads("lettuce-\\w*EventLoop-");
        assertThat(loops).hasSizeBetween(1, DefaultClientResources.DEFAULT_IO_THREADS);
        assertThat(loops.stream()
                        .map(name -> name.substring(0, name.lastIndexOf('-')))
                        .distinct())
                .hasSize(1);
        assertThat(threads("lettuce-eventExecutorLoop-"))
                .hasSizeLessThanOrEqualTo(DefaultClientResources.DEFAULT_COMPUTATION_THREADS);
        assertThat(threads("lettuce-timer-")).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void manyClientsAndAQuorumUseOneSet() throws Exception {
        List<Belay> clients = new ArrayList<>();
        try (QuorumServers members = new QuorumServers(5, "longest-lease=60s")) {
            clients.add(Belay.connect(members.url()));
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Belay.connect(i % 2 == 0 ? server.url() : "unix:" + server.socket()));
            }
            for (Belay client : clients) {
                use(client);
            }
            assertOneSet();
            while (clients.size() > 1) {
                clients.remove(0).close();
            }
            use(clients.get(0));
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            use(clients.get(0)); // by another connection
            assertOneSet();
        } finally {
            clients.forEach(Belay::close);
        }
    }

    /** A lost connection is made again on another one of them, and none may be left to start by then. */
    @Test
    void allThreadsAreStartedWithTheFirstClient() {
        try (Belay first = Belay.connect(server.url())) {
            assertThat(threads("lettuce-\\w*EventLoop-"))
                    .hasSize(Math.min(Batching.MOST_THREADS, DefaultClientResources.DEFAULT_IO_THREADS));
            assertThat(threads("lettuce-eventExecutorLoop-"))
                    .hasSize(Math.min(Batching.MOST_THREADS, DefaultClientResources.DEFAULT_COMPUTATION_THREADS));
        }
    }

    @Test
    void clientsThatComeAndGoAtOnceDisturbNobody() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                done.add(pool.submit(() -> {
                    for (int round = 0; round < 25; round++) {
                        try (Belay belay = Belay.connect(server.url())) {
                            use(belay);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : done) {
                each.get(Pace.seconds(), SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void whoCannotConnectGivesItsShareBack() throws Exception {
        int port;
        try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = nobody.getLocalPort();
        }
        String absent = "redis://127.0.0.1:" + port;
        String cluster = "redis-cluster://127.0.0.1:" + port;
        for (String url : List.of(absent, cluster, "quorum:" + absent + ",redis://127.0.0.2:" + port)) {
            assertThatThrownBy(() -> Belay.connect(url)).isInstanceOf(StoreUnavailableException.class);
            Told.assertNoThreads();
        }
        try (Belay other = Belay.connect(server.url())) {
            assertThatThrownBy(() -> Belay.connect(absent)).isInstanceOf(StoreUnavailableException.class);
            use(other);
        }
    }

    @Test
    void whoIsClosedTwiceIsCountedOnce() {
        Connector twice = connector();
        Connector other = connector();
        twice.close();
        twice.close();
        assertThat(other.ask(commands -> commands.ping()).join()).isEqualTo("PONG");
        other.close();
    }

    /** The engine's own bound is another, and what is beyond that waits. */
    @Test
    void theApplicationsBoundOfRequestsFailsNone() throws Exception {
        RedisClient client = RedisClient.create();
        client.setOptions(ClientOptions.builder().requestQueueSize(2).build());
        Redis redis = Redis.at(server.url() + "?timeout=1m").withClient(client);
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        try (Store store = redis.open(1, new RecordingListener())) {
            server.stop();
            try {
                for (int i = 1; i <= CLIENTS; i++) {
                    Owner owner = Owner.of("client", "host", 1, "thread");
                    answers.add(store.send(
                                    Request.Enter.of("x" + i, ClaimId.of(1, i), ClaimSpec.whole(30_000_000), 0, owner))
                            .toCompletableFuture());
                }
            } finally {
                server.resume();
            }
            for (CompletableFuture<Answer> answer : answers) {
                assertThat(answer.get(Pace.seconds(), SECONDS).state()).isEqualTo(Answer.State.GRANTED);
            }
        } finally {
            client.shutdown();
        }
    }

    @Test
    void aSharedThreadClosesTheLastClient() throws Exception {
        Connector onLoop = connector();
        CompletableFuture<String> thread = new CompletableFuture<>();
        server.stop(); // else the answer may be there before anything is to follow it, by the thread that asks
        onLoop.ask(commands -> commands.ping().thenAccept(pong -> {
            onLoop.close();
            thread.complete(Thread.currentThread().getName());
        }));
        server.resume();
        assertThat(thread.get(Pace.seconds(), SECONDS)).contains("EventLoop");
        Told.assertNoThreads();

        Connector onExecutor = connector();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        onExecutor.later(
                () -> {
                    onExecutor.close();
                    closed.complete(null);
                },
                0);
        closed.get(Pace.seconds(), SECONDS);
    }

    /** The threads that it was begun on go on for others. */
    @Test
    void aConnectionInTheMakingEndsWithItsClient() throws Exception {
        Connector other = connector();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Connector closed = Redis.at("redis://127.0.0.1:" + silent.getLocalPort() + "?timeout=60m")
                    .connector();
            CompletableFuture<String> answer = closed.ask(commands -> commands.ping());
            try (Socket accepted = silent.accept()) {
                accepted.setSoTimeout(10_000);
                assertThat(accepted.getInputStream().read()).as("it asks").isNotNegative();
                closed.close();
                assertThat(answer).failsWithin(Pace.patience());
                accepted.getInputStream().readAllBytes(); // to the end of the connection
            } finally {
                closed.close();
            }
            assertThat(closed.ask(commands -> commands.ping())).failsWithin(Pace.patience());
            assertThat(other.ask(commands -> commands.ping()).join()).isEqualTo("PONG");
        } finally {
            other.close();
        }
    }

    /** They are asked for again when the connections are gone, by code of the application that may block. */
    @Test
    void credentialsThatTakeLongHoldNobodyElseUp() throws Exception {
        int count = 2 * DefaultClientResources.DEFAULT_COMPUTATION_THREADS;
        AtomicBoolean slow = new AtomicBoolean();
        CountDownLatch asked = new CountDownLatch(count);
        CountDownLatch told = new CountDownLatch(1);
        Redis redis = Redis.at(server.url()).withCredentials(RedisCredentialsProvider.from(() -> {
            if (slow.get()) {
                asked.countDown();
                await(told);
            }
            return RedisCredentials.just("default", "any");
        }));
        List<Belay> clients = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                clients.add(Belay.connect(redis, BelayOptions.defaults()));
            }
            Belay other = Belay.connect(server.url());
            clients.add(other);
            slow.set(true);
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            assertThat(asked.await(Pace.seconds(), SECONDS)).isTrue();
            assertThat(other.lock("x").tryAcquire(Duration.ofSeconds(30))).isPresent();
        } finally {
            told.countDown();
            clients.forEach(Belay::close);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Connector connector() {
        return Redis.at(server.url()).connector();
    }
}
