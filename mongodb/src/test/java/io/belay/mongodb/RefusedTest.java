package io.belay.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ServerId;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.MongoServer;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.spi.Finding;
import io.belay.spi.StoreException;
import io.netty.channel.Channel;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What users are told: one line, that names the place and the cure, without a password in it. */
class RefusedTest {
    private static final ServerAddress ADDRESS = new ServerAddress("a");

    @Test
    void nobodyThere() throws Exception {
        Premise.withLease(Duration.ofMillis(300), RefusedTest::nobodyThere);
    }

    private static void nobodyThere(Duration timeout) throws Exception {
        try (Socket bound = new Socket()) {
            // Nobody listens on it, nor can anybody else meanwhile.
            bound.bind(new InetSocketAddress("127.0.0.1", 0));
            String place = "127.0.0.1:" + bound.getLocalPort();
            String url = "mongodb://shop:geheim@" + place + "/?belay-timeout=" + timeout.toMillis() + "ms";
            Throwable refused = catchThrowable(() -> Belay.connect(url));
            Premise.check(String.valueOf(refused).contains("refused"), "the driver has tried it by then");
            assertThat(refused)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("MongoDB at " + place + " has no primary that can be reached")
                    .hasMessageContaining("within " + timeout.toMillis() + " ms: Connection refused; is it running")
                    .satisfies(RefusedTest::saysNoSecret);
        }
    }

    @Test
    void aThreadThatIsInterruptedWhileItConnects() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> Belay.connect("mongodb://127.0.0.1:1"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("interrupted before MongoDB at 127.0.0.1:1 answered");
        } finally {
            assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
        }
    }

    @Test
    void oneThatAcceptsAndSaysNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            String url = "mongodb://shop:geheim@127.0.0.1:" + silent.getLocalPort() + "/?belay-timeout=300ms";
            assertThatThrownBy(() -> Belay.connect(url))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("does not answer within 300 ms")
                    .satisfies(RefusedTest::saysNoSecret);
        }
    }

    @Test
    void aUserThatTheServerDoesNotTake() throws Exception {
        try (MongoServer server = MongoServer.start()) {
            assumeTrue(server.canBeKilled(), "users of a server that is not ours are not tried");
            String place = "127.0.0.1:" + server.port();
            assertThatThrownBy(() -> Belay.connect("mongodb://shop:geheim@" + place + "/?belay-timeout=1m"))
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("MongoDB at " + place + " refuses the user or the password")
                    .satisfies(RefusedTest::saysNoSecret);
        }
    }

    /** The driver makes a failure of the login of it. */
    @Test
    void aConnectionThatBreaksDuringTheLogin() throws Exception {
        try (MongoServer server = MongoServer.start();
                ServerSocket before = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            assumeTrue(server.canBeKilled(), "users of a server that is not ours are not tried");
            standBefore(
                    server, before, said -> said.contains("saslStart") && !said.contains("speculativeAuthenticate"));
            String place = "127.0.0.1:" + before.getLocalPort();
            assertThatThrownBy(() -> Belay.connect("mongodb://shop:geheim@" + place))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("MongoDB at " + place + " has no primary that can be reached")
                    .satisfies(RefusedTest::saysNoSecret);
        }
    }

    /** As a server does that is stopped, or cut off without a word, while the doctor looks at it. */
    @Test
    void oneThatSaysNothingMoreWhileItIsExamined() throws Exception {
        try (MongoServer server = MongoServer.start()) {
            assumeTrue(server.canBeKilled(), "nothing can stand before a server that is not ours");
            Premise.withLease(Duration.ofMillis(500), timeout -> saysNothingMore(server, timeout));
        }
    }

    private static void saysNothingMore(MongoServer server, Duration timeout) throws Exception {
        AtomicBoolean asked = new AtomicBoolean();
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<List<Finding>> examined = new CompletableFuture<>();
        try (ServerSocket before = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            standBefore(server, before, said -> {
                if (!said.contains("buildInfo")) {
                    return false;
                }
                asked.set(true);
                over.join();
                return true;
            });
            String url =
                    "mongodb://127.0.0.1:" + before.getLocalPort() + "/?belay-timeout=" + timeout.toMillis() + "ms";
            daemon(() -> {
                try {
                    examined.complete(BelayAdmin.examine(url));
                } catch (RuntimeException e) {
                    examined.completeExceptionally(e);
                }
            });
            Throwable told = catchThrowable(() -> examined.get(Pace.seconds(), TimeUnit.SECONDS));
            Premise.check(asked.get(), "the server has answered until then");
            assertThat(told)
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("does not answer within " + timeout.toMillis() + " ms");
        } finally {
            over.complete(null);
        }
    }

    /** The driver knows only by an answer what it is connected to. */
    @Test
    void aRouterOfAShardedCluster() {
        de.bwaldvogel.mongo.MongoServer router = new de.bwaldvogel.mongo.MongoServer(new MemoryBackend() {
            @Override
            public Document handleCommand(Channel channel, String database, String command, Document query) {
                Document answer = super.handleCommand(channel, database, command, query);
                return answer.containsKey("ismaster") ? answer.append("msg", "isdbgrid") : answer;
            }
        });
        try {
            router.bind();
            String url = router.getConnectionString() + "/?belay-timeout=1m";
            assertThatThrownBy(() -> Belay.connect(url))
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining("sharded cluster of MongoDB")
                    .hasMessageContaining("give them a replica set");
        } finally {
            router.shutdownNow();
        }
    }

    private interface Network {
        void run() throws IOException;
    }

    private static void daemon(Network body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException e) {
                // The test is over, or the other side has ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** Passes on what is said to a server and what it says; ends both connections where it is not to be said. */
    private static void standBefore(MongoServer server, ServerSocket before, Predicate<String> forbidden) {
        daemon(() -> {
            while (true) {
                Socket client = before.accept();
                Socket to = new Socket(client.getLocalAddress(), server.port());
                daemon(() -> pass(client, to, forbidden));
                daemon(() -> pass(to, client, said -> false));
            }
        });
    }

    private static void pass(Socket from, Socket to, Predicate<String> forbidden) throws IOException {
        try (from;
                to) {
            OutputStream out = to.getOutputStream();
            byte[] some = new byte[1 << 16];
            for (int length = from.getInputStream().read(some);
                    length >= 0;
                    length = from.getInputStream().read(some)) {
                if (forbidden.test(new String(some, 0, length, StandardCharsets.ISO_8859_1))) {
                    return;
                }
                out.write(some, 0, length);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "13 | not authorized | false | the user needs the role readWrite on the database shop",
                "18 | Authentication failed. | false | refuses the user or the password",
                "10107 | not primary | true | MongoDB at a cannot do it now: 10107 not primary",
                "64 | waiting for replication timed out | true | MongoDB at a cannot do it now: 64 waiting",
                "134 | majority reads not yet | true | MongoDB at a cannot do it now: 134 majority reads",
                "11601 | operation was interrupted | true | MongoDB at a cannot do it now: 11601 operation",
                "365 | temporarily unavailable | true | MongoDB at a cannot do it now: 365 temporarily",
                "371 | User writes blocked | true | MongoDB at a cannot do it now: 371 User writes blocked",
                "462 | too many requests | true | MongoDB at a cannot do it now: 462 too many",
                "8000 | over your space quota | true | MongoDB at a cannot do it now: 8000 over your space quota",
                "8000 | user is not allowed to do action [update] on [quota.belay_lock] | false | MongoDB at a fails: 8000 user is",
                "59 | no such command | false | MongoDB at a fails: 59 no such command"
            })
    void whatAServerSays(int code, String said, boolean temporary, String message) {
        assertTold(answer(code, said), temporary, message);
    }

    /** As each change of a lock is one. */
    @Test
    void writesThatAreBlockedAreWaitedFor() {
        BulkWriteError blocked = new BulkWriteError(371, "User writes blocked", new BsonDocument(), 0);
        assertTold(
                new MongoBulkWriteException(
                        BulkWriteResult.unacknowledged(), List.of(blocked), null, ADDRESS, Set.of()),
                true,
                "MongoDB at a cannot do it now: ");
    }

    @Test
    void aServerThatShedsLoadIsWaitedFor() {
        MongoException shed = answer(59, "no more now");
        shed.addLabel("SystemOverloadedError");
        assertTold(shed, true, "MongoDB at a cannot do it now: 59 no more now");
    }

    @Test
    void aLoginThatIsBrokenOffIsNoRefusal() {
        MongoException gone = new MongoSocketReadException("Prematurely reached end of stream", ADDRESS);
        assertTold(login(gone), true, "has no primary that can be reached");
        assertTold(login(answer(91, "going down")), true, "MongoDB at a cannot do it now: 91 going down");
        assertTold(login(answer(18, "Authentication failed.")), false, "refuses the user or the password");
        assertTold(login(answer(8000, "bad auth")), false, "refuses the user or the password");
        assertTold(login(null), false, "refuses the user or the password");
    }

    /** As when another thread's connection has broken. */
    @Test
    void whoWaitsForAConnectionWaitsForAServer() {
        MongoException gone = new MongoSocketReadException("Prematurely reached end of stream", ADDRESS);
        assertTold(cleared(gone), true, "has no primary that can be reached");
        assertTold(cleared(login(gone)), true, "has no primary that can be reached");
        assertTold(cleared(null), true, "has no primary that can be reached");
        assertTold(cleared(login(answer(18, "no"))), false, "refuses the user or the password");
        assertTold(new MongoServerUnavailableException("gone"), true, "has no primary that can be reached");
    }

    private static MongoException cleared(@Nullable Throwable cause) {
        return new MongoConnectionPoolClearedException(new ServerId(new ClusterId(), ADDRESS), cause);
    }

    private static MongoException login(@Nullable Throwable cause) {
        MongoCredential user = MongoCredential.createCredential("shop", "admin", "geheim".toCharArray());
        return new MongoSecurityException(user, "Exception authenticating", cause);
    }

    private static MongoException answer(int code, String said) {
        BsonDocument answer = BsonDocument.parse("{ok: 0, code: " + code + ", codeName: 'X', errmsg: '" + said + "'}");
        return new MongoCommandException(answer, ADDRESS);
    }

    private static void assertTold(MongoException failure, boolean temporary, String message) {
        StoreException told = new Failures("MongoDB at a", "shop", Settings.DEFAULT, null, false).of(failure);
        assertThat(told).hasMessageContaining(message).satisfies(RefusedTest::saysNoSecret);
        assertThat(told.isTemporary()).isEqualTo(temporary);
    }

    private static void saysNoSecret(Throwable e) {
        assertThat(e.getMessage()).doesNotContain("\n");
        assertThat(MongoUrlTest.trace(e)).doesNotContain("geheim");
    }
}
