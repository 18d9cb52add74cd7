package io.belay.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.servers.RedisServer.Version;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("selftest")
@Tag("long")
@ParameterizedClass
@EnumSource
class TcpProxyTest {
    private final RedisServer server;
    private final TcpProxy proxy;

    TcpProxyTest(Version version) throws Exception {
        server = RedisServer.start(version);
        proxy = TcpProxy.to(server);
    }

    @AfterEach
    void close() {
        proxy.close();
        server.close();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("belay-proxy-" + proxy.port())));
    }

    @Test
    void passesWhatIsSaid() throws Exception {
        try (Client client = connect()) {
            assertThat(client.call("SET", "k", "v".repeat(100_000))).containsExactly("OK");
            assertThat(client.call("GET", "k")).containsExactly("v".repeat(100_000));
            assertThat(proxy.connections()).isEqualTo(1);
        }
        await().until(() -> proxy.connections() == 0);
        connect().close();
        await().until(() -> proxy.accepted() == 2);
        await().untilAsserted(() -> assertThat(
                        server.command("CLIENT", "LIST", "TYPE", "normal").lines())
                .hasSize(1));
    }

    @Test
    void cutOffNobodyIsConnectedNorConnects() throws Exception {
        try (Client client = connect()) {
            client.call("PING");
            proxy.cut();
            proxy.cut();
            assertEnded(client);
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            assertThat(proxy.connections()).isZero();
        }
        proxy.pass();
        try (Client client = connect()) {
            assertThat(client.call("PING")).containsExactly("PONG");
        }
    }

    /** A process that is being started has the descriptors of this one until it closes them. */
    @Test
    void itsPortIsItsAgainWhileProcessesAreStarted() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Integer> starting = CompletableFuture.supplyAsync(() -> {
            int started = 0;
            while (!done.get()) {
                try {
                    new ProcessBuilder("true").start().waitFor();
                    started++;
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return started;
        });
        for (int i = 0; i < 500; i++) {
            proxy.cut();
            proxy.pass();
        }
        done.set(true);
        assertThat(starting.get()).isPositive();
        connect().close();
    }

    @Test
    void aServerThatIsDownEndsItsConnections() throws Exception {
        try (Client client = connect()) {
            client.call("PING");
            server.kill();
            assertEnded(client);
        }
        try (Client client = connect()) {
            assertEnded(client);
        }
        server.restart();
        try (Client client = connect()) {
            assertThat(client.call("PING")).containsExactly("PONG");
        }
    }

    @Test
    void silenceHoldsBackWhatBothSidesSay() throws Exception {
        try (Client before = connect();
                Client publisher = Client.to(server.port())) {
            before.call("SUBSCRIBE", "c");
            proxy.silence();
            assertThat(publisher.call("PUBLISH", "c", "hi")).containsExactly("1");
            assertSilent(before);
            try (Client during = connect()) {
                during.send("INCR", "k");
                assertSilent(during);
                assertThat(server.command("EXISTS", "k")).isEqualTo("0");

                proxy.pass();
                assertThat(before.read()).containsExactly("message", "c", "hi");
                assertThat(during.read()).containsExactly("1");
            }
        }
    }

    @Test
    void silenceHidesThatTheOtherSideIsGone() throws Exception {
        try (Client client = connect()) {
            client.call("PING");
            proxy.silence();
            server.kill();
            assertSilent(client);
            proxy.pass();
            assertEnded(client);
        }
    }

    @Test
    void whatASilenceHeldBackIsLostInACut() throws Exception {
        try (Client client = connect()) {
            client.call("PING");
            proxy.silence();
            client.send("INCR", "k");
            proxy.cut();
            assertEnded(client);
            proxy.pass();
            assertThat(server.command("EXISTS", "k")).isEqualTo("0");
        }
    }

    @Test
    void oneWayIsSilentWhileTheOtherIsNot() throws Exception {
        try (Client client = connect();
                Client publisher = Client.to(server.port())) {
            client.call("HELLO", "3");
            client.call("SUBSCRIBE", "c");
            proxy.silenceRequests();
            client.send("INCR", "k");
            assertThat(publisher.call("PUBLISH", "c", "hi")).containsExactly("1");
            assertThat(client.read()).containsExactly("message", "c", "hi");
            assertThat(server.command("EXISTS", "k")).isEqualTo("0");
            proxy.silenceReplies();
            await().until(() -> server.command("GET", "k").equals("1"));
            assertSilent(client);
            proxy.pass();
            assertThat(client.read()).containsExactly("1");

            proxy.silenceReplies();
            client.send("INCR", "k");
            await().until(() -> server.command("GET", "k").equals("2"));
            proxy.cut();
            assertEnded(client);
        }
    }

    @Test
    void aScriptIsRunTwiceAndAnsweredOnce() throws Exception {
        String script = "redis.call('PUBLISH', 'c', 'x') return redis.call('INCR', KEYS[1])";
        try (Client client = connect()) {
            client.call("HELLO", "3");
            client.call("SUBSCRIBE", "c");
            proxy.doubleScripts();
            client.send("EVAL", script, "1", "k");
            client.send("GET", "k");
            client.send("eval", script, "1", "k");
            client.send("INCR", "k");
            assertThat(client.read()).containsExactly("message", "c", "x");
            assertThat(client.read()).containsExactly("1");
            assertThat(client.read()).containsExactly("message", "c", "x");
            assertThat(client.read()).containsExactly("2");
            assertThat(client.read()).containsExactly("message", "c", "x");
            assertThat(client.read()).containsExactly("3");
            assertThat(client.read()).containsExactly("message", "c", "x");
            assertThat(client.read()).containsExactly("5");
            assertThat(proxy.doubled()).isEqualTo(2);
            proxy.pass();
            client.send("EVAL", script, "1", "k");
            assertThat(client.read()).containsExactly("message", "c", "x");
            assertThat(client.read()).containsExactly("6");
            assertThat(client.call("PING")).containsExactly("PONG");
        }
    }

    @Test
    void messagesAreDroppedAndRepliesPass() throws Exception {
        try (Client client = connect()) {
            proxy.dropMessages();
            assertThat(client.call("SUBSCRIBE", "c")).containsExactly("subscribe", "c", "1");
            server.command("PUBLISH", "c", "lost");
            await().until(() -> proxy.dropped() == 1);
            assertThat(client.call("PING")).containsExactly("pong", "");
            proxy.pass();
            server.command("PUBLISH", "c", "seen");
            assertThat(client.read()).containsExactly("message", "c", "seen");
        }
    }

    @Test
    void pushesAreDroppedAndRepliesPass() throws Exception {
        try (Client client = connect()) {
            assertThat(client.call("HELLO", "3")).contains("proto", "3");
            assertThat(client.call("SUBSCRIBE", "c")).containsExactly("subscribe", "c", "1");
            proxy.dropPushes();
            server.command("PUBLISH", "c", "lost");
            client.send("SUBSCRIBE", "d");
            assertThat(client.call("PING")).containsExactly("PONG");
            assertThat(proxy.dropped()).isEqualTo(2);
            proxy.dropMessages();
            server.command("PUBLISH", "c", "lost");
            assertThat(client.call("SUBSCRIBE", "e")).containsExactly("subscribe", "e", "3");
            assertThat(proxy.dropped()).isEqualTo(3);
        }
    }

    @Test
    void aLostReplyIsToACommandThatWasRun() throws Exception {
        try (Client client = connect();
                Client other = connect()) {
            client.call("HELLO", "3");
            client.call("SUBSCRIBE", "c");
            proxy.loseNextReply();
            server.command("PUBLISH", "c", "passes");
            assertThat(client.read()).containsExactly("message", "c", "passes");
            client.send("INCR", "k");
            assertEnded(client);
            assertThat(server.command("GET", "k")).isEqualTo("1");
            assertThat(other.call("INCR", "k")).containsExactly("2");
        }
    }

    @Test
    void aDelayAddsToEachReplyOnce() throws Exception {
        Premise.withLease(Duration.ofMillis(100), delay -> {
            try (Client client = connect()) {
                client.call("PING");
                proxy.delayReplies(delay);
                long begin = System.nanoTime();
                for (int i = 0; i < 20; i++) {
                    client.send("ECHO", "" + i);
                }
                for (int i = 0; i < 20; i++) {
                    assertThat(client.read()).containsExactly("" + i);
                }
                Duration took = Duration.ofNanos(System.nanoTime() - begin);
                assertThat(took).isGreaterThanOrEqualTo(delay);
                Premise.check(
                        took.compareTo(delay.multipliedBy(19)) <= 0, "twenty replies that wait together: " + took);
            } finally {
                proxy.pass();
            }
        });
    }

    private Client connect() throws IOException {
        return Client.to(proxy.port());
    }

    /** Nothing comes: a moment is enough to see what would come at once. */
    private static void assertSilent(Client client) throws IOException {
        client.socket.setSoTimeout(100);
        assertThatThrownBy(client::read).isInstanceOf(SocketTimeoutException.class);
        client.isPatient();
    }

    private static void assertEnded(Client client) {
        assertThatThrownBy(() -> {
                    client.send("PING");
                    client.read();
                })
                .isInstanceOfAny(EOFException.class, SocketException.class);
    }
}
