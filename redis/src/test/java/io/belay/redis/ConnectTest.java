package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.servers.TcpProxy;
import io.belay.spi.Store;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way to connect that works, and what it leaves alone. */
@ParameterizedClass
@EnumSource
class ConnectTest {
    private static final String PASSWORD = "ge@he:im/?#%&";
    private static final String ENCODED = "ge@he:im/?#%25&";

    private static RedisServer server;

    private final Version version;

    ConnectTest(Version version) {
        this.version = version;
    }

    @BeforeParameterizedClassInvocation
    static void start(Version version) throws Exception {
        server = RedisServer.builder(version)
                .password(PASSWORD)
                .user("app", "on", ">" + PASSWORD, "~*", "allchannels", "+@all")
                .start();
        String rights = Settings.parse("redis://localhost").rights();
        server.command(("ACL SETUSER least on >" + PASSWORD + " " + rights).split(" "));
    }

    /** The first connection of a JVM takes long on a machine that has other things to do. */
    @BeforeAll
    static void warmUp() throws Exception {
        Told.warmUp();
    }

    @AfterParameterizedClassInvocation
    static void end() {
        server.close();
    }

    @AfterEach
    void nothingIsLeft() {
        Told.assertNoConnections(server);
        Told.assertNoThreads();
    }

    private static String url(String user) {
        return "redis://" + user + ":" + ENCODED + "@127.0.0.1:" + server.port();
    }

    private static String socket(String more) {
        return "unix:" + server.socket() + "?password=" + ENCODED.replace("&", "%26") + more;
    }

    @Test
    void bySocketOrNotAndAsWhoeverAllMeet() throws Exception {
        try (Belay byPassword = Belay.connect(url(""));
                Belay asDefault = Belay.connect(url("default"));
                Belay asUser = Belay.connect(url("app"));
                Belay asLeast = Belay.connect(url("least"));
                Belay bySocket = Belay.connect(socket("&user=app"))) {
            HandOver.between(byPassword, asUser);
            HandOver.between(asUser, asLeast);
            HandOver.between(asLeast, bySocket);
            HandOver.between(bySocket, asDefault);
        }
    }

    @Test
    void aPlainUrlIsEnoughWhereNoPasswordIsSet() throws Exception {
        try (RedisServer open = RedisServer.start(version);
                Belay first = Belay.connect(open.url());
                Belay second = Belay.connect("unix:" + open.socket())) {
            HandOver.between(first, second);
        }
    }

    @Test
    void databasesDoNotMeet() throws Exception {
        try (Belay zero = Belay.connect(url(""));
                Belay five = Belay.connect(url("") + "/5");
                Belay sameFive = Belay.connect(socket("&db=5"));
                Lease held = five.lock("x").acquire()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(Premise.answered(() -> sameFive.lock("x").tryAcquire())).isEmpty();
            try (Lease other = zero.lock("x").acquire()) {
                assertThat(other.isHeld()).isTrue();
            }
        }
    }

    @Test
    void prefixesDoNotMeet() throws Exception {
        try (Belay usual = Belay.connect(url(""));
                Belay other = Belay.connect(url("") + "?prefix=shop:");
                Belay same = Belay.connect(Redis.at(url("")).withPrefix("shop:"), BelayOptions.defaults())) {
            try (Lease held = other.lock("p").acquire()) {
                assertThat(held.isHeld()).isTrue();
                usual.lock("p").acquire();
                assertThat(Premise.answered(() -> same.lock("p").tryAcquire())).isEmpty();
                assertThat(server.command("EXISTS", "shop:p", "belay:p")).isEqualTo("2");
            }
            HandOver.between(other, same);
        }
    }

    @Test
    void resp2HasASecondConnectionForPushes() throws Exception {
        try (Belay two = Belay.connect(url("app") + "?protocol=resp2")) {
            assertThat(connections()).isEqualTo(2);
            try (Belay three = Belay.connect(url("app"))) {
                assertThat(connections()).isEqualTo(3);
                HandOver.between(two, three);
                HandOver.between(three, two);
            }
        }
    }

    /** Else nothing is asked on it, and who waits would lose each turn of which it is not told. */
    @Test
    void aConnectionForPushesThatIsDeadIsMadeAnew() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server);
                Belay two = Belay.connect(
                        "redis://app:" + ENCODED + "@127.0.0.1:" + proxy.port() + "?protocol=resp2&timeout=1s")) {
            proxy.halfOpenFirst();
            await().until(() ->
                    server.command("CLIENT", "LIST", "TYPE", "pubsub").isEmpty());
            int before = proxy.accepted();
            two.lock("x").acquire().close();
            await().until(() -> proxy.accepted() > before);
            try (Belay three = Belay.connect(url("app"))) {
                HandOver.between(three, two);
            }
        }
    }

    @Test
    void aServerWithoutHelloIsSpokenToInResp2AndTheLogSaysSoOnce() throws Exception {
        try (RedisServer without = RedisServer.start(version, "--rename-command", "HELLO", "")) {
            List<String> log = Told.logged(() -> {
                try (Belay belay = Belay.connect(without.url());
                        Lease lease = belay.lock("x").acquire()) {
                    without.command("CLIENT", "KILL", "TYPE", "pubsub");
                    belay.lock("y").acquire();
                    assertThat(lease.isHeld()).isTrue();
                }
            });
            assertThat(log)
                    .filteredOn(line -> line.contains("HELLO"))
                    .singleElement()
                    .asString()
                    .contains("WARN", "Redis at 127.0.0.1:" + without.port() + " cannot be greeted by HELLO");
        }
    }

    /** One that asks for nothing shows it in no other way. */
    @Test
    void theLogSaysThatAConnectionHasEndedAndThatThereIsAnother() throws Exception {
        RecordingListener listener = new RecordingListener();
        List<String> log = Told.logged(() -> {
            try (Store store = Redis.at(url("app")).open(1, listener)) {
                server.command("CLIENT", "KILL", "TYPE", "pubsub");
                await().until(() -> listener.reconnects.get() > 0);
            }
        });
        String place = "Redis at 127.0.0.1:" + server.port();
        assertThat(log)
                .filteredOn(line -> line.contains(" INFO ") && line.contains(place))
                .extracting(line -> line.substring(line.indexOf(" - ") + 3))
                .containsExactly("The connection to " + place + " has ended", "Connected to " + place + " again");
    }

    /** In 6.2 the default user is asked for the right to HELLO before another has logged in. */
    @Test
    void theDefaultUserNeedsNoRights() throws Exception {
        try (RedisServer strict = RedisServer.builder(version)
                        .user("default", "reset")
                        .user("app", "on", ">" + PASSWORD, "~*", "allchannels", "+@all")
                        .start();
                Belay first = Belay.connect("redis://app:" + ENCODED + "@127.0.0.1:" + strict.port());
                Belay second = Belay.connect("redis://app:" + ENCODED + "@127.0.0.1:" + strict.port())) {
            HandOver.between(first, second);
        }
    }

    @Test
    void theApplicationsThreadsAreShared() throws Exception {
        ClientResources resources = DefaultClientResources.create();
        RedisClient client = RedisClient.create(
                resources,
                RedisURI.Builder.redis("127.0.0.1", server.port())
                        .withPassword(PASSWORD.toCharArray())
                        .build());
        try (StatefulRedisConnection<String, String> own = client.connect()) {
            try (Belay byClient = Belay.connect(Redis.at(url("")).withClient(client), BelayOptions.defaults());
                    Belay byResources =
                            Belay.connect(Redis.at(url("")).withResources(resources), BelayOptions.defaults())) {
                HandOver.between(byClient, byResources);
                assertThat(eventLoops()).isOne();
                try (Belay alone = Belay.connect(url(""))) {
                    HandOver.between(alone, byClient);
                    assertThat(eventLoops()).isEqualTo(2);
                }
            }
            assertThat(own.sync().ping()).isEqualTo("PONG");
            assertThat(client.getOptions().isAutoReconnect()).isTrue();
            try (StatefulRedisConnection<String, String> another = client.connect()) {
                assertThat(another.sync().ping()).isEqualTo("PONG");
            }
        } finally {
            client.shutdown();
            resources.shutdown().get();
        }
    }

    @Test
    void theApplicationsCustomizerIsAskedAsWell() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        ClientResources resources = DefaultClientResources.builder()
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        asked.incrementAndGet();
                    }
                })
                .build();
        try (Belay one = Belay.connect(Redis.at(url("")).withResources(resources), BelayOptions.defaults());
                Belay other = Belay.connect(url(""))) {
            HandOver.between(one, other);
            assertThat(asked).hasPositiveValue();
        } finally {
            resources.shutdown().get();
        }
    }

    @Test
    void anInterruptedThreadClosesEverything() {
        Belay belay = Belay.connect(url(""));
        Thread.currentThread().interrupt();
        belay.close();
        assertThat(Thread.interrupted()).isTrue();
    }

    /** Pools of threads, one for each that does not share: "lettuce-epollEventLoop-POOL-THREAD". */
    private static long eventLoops() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.matches("lettuce-\\w*EventLoop-.*"))
                .map(name -> name.substring(0, name.lastIndexOf('-')))
                .distinct()
                .count();
    }

    @Test
    void credentialsAreAskedForAtEachConnection() throws Exception {
        AtomicReference<String> password = new AtomicReference<>("geheim-1");
        AtomicInteger asked = new AtomicInteger();
        RedisCredentialsProvider credentials = RedisCredentialsProvider.from(() -> {
            asked.incrementAndGet();
            return RedisCredentials.just("rotated", password.get());
        });
        server.command("ACL", "SETUSER", "rotated", "reset", "on", ">geheim-1", "~*", "allchannels", "+@all");
        Redis redis = Redis.at("redis://127.0.0.1:" + server.port()).withCredentials(credentials);
        try (Belay belay = Belay.connect(redis, BelayOptions.defaults())) {
            int before = asked.get();
            password.set("geheim-2");
            server.command("ACL", "SETUSER", "rotated", "resetpass", ">geheim-2");
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().until(() -> asked.get() > before && connections() == 1);
            try (Lease lease = belay.lock("rotated").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
        } finally {
            server.command("ACL", "DELUSER", "rotated");
        }
    }

    /** As while a file with it is renewed, some seconds after the server has the new one. */
    @Test
    void aPasswordThatIsToldTooLateIsWaitedFor() throws Exception {
        AtomicReference<String> password = new AtomicReference<>("geheim-0");
        AtomicInteger asked = new AtomicInteger();
        Redis redis = Redis.at("redis://127.0.0.1:" + server.port())
                .withCredentials(RedisCredentialsProvider.from(() -> {
                    asked.incrementAndGet();
                    return RedisCredentials.just("late", password.get());
                }));
        server.command("ACL", "SETUSER", "late", "reset", "on", ">geheim-1", "~*", "allchannels", "+@all");
        assertThat(Told.unusable(() -> Belay.connect(redis, BelayOptions.defaults())))
                .contains("refused the user or password: check both");
        password.set("geheim-1");
        try (Belay belay = Belay.connect(redis, BelayOptions.defaults())) {
            int before = asked.get();
            server.command("ACL", "SETUSER", "late", "resetpass", ">geheim-2");
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().until(() -> asked.get() > before + 1); // so one was refused
            // Not each time: Lettuce may tell of the connection's end before it tells of the refusal.
            await().until(() -> Told.unavailable(() -> belay.lock("late").tryAcquire())
                    .contains("refused the user or password that the application gave"));
            CompletableFuture<Lease> waiting = belay.lock("late").acquireAsync();
            int since = asked.get();
            await().until(() -> asked.get() > since + 1);
            assertThat(waiting).isNotDone();
            password.set("geheim-2");
            assertThat(waiting.thenCompose(Lease::releaseAsync)).succeedsWithin(Pace.patience());
        } finally {
            server.command("ACL", "DELUSER", "late");
        }
    }

    /** As while an administrator kills clients, among them one that is just connecting again. */
    @Test
    void nobodyIsToldToSpeakTlsWhereTheServerHasAnswered() throws Exception {
        try (RedisServer gone = RedisServer.start(version);
                TcpProxy proxy = TcpProxy.to(gone)) {
            try (Belay belay = Belay.connect(proxy.url())) {
                gone.kill(); // so that the proxy closes what it accepts
                await().untilAsserted(() -> assertThat(
                                Told.unavailable(() -> belay.lock("x").tryAcquire()))
                        .endsWith(
                                "closed the connection while it was made, as a shutdown does, a CLIENT KILL, or a proxy"
                                        + " that has no server"));
                assertThat(Told.unavailable(proxy.url())).endsWith("write rediss://");
                gone.restart();
                belay.lock("x").acquire().close();
            }
        }
    }

    private static int connections() throws Exception {
        // One less, which is the one that asks.
        return (int) server.command("CLIENT", "LIST").lines().count() - 1;
    }
}
