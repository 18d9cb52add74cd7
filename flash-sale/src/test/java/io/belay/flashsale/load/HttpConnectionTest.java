package io.belay.flashsale.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.servers.Pace;
import io.belay.servers.Premise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpConnectionTest {
    /** The longest for which a connection is kept that is not used. */
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(10);

    private static HttpConnection connect(FakeServer server) {
        return new HttpConnection(server.address(), (int) Pace.patience().toMillis());
    }

    @Test
    void aConnectionIsKept() throws Exception {
        Premise.withLease(LONGEST_IDLE, anyLease -> oneConnectionIsKept());
    }

    private static void oneConnectionIsKept() throws IOException {
        List<String> answers = List.of(FakeServer.CREATED, FakeServer.SOLD_OUT, FakeServer.CREATED);
        try (FakeServer server = new FakeServer(answers::get);
                HttpConnection connection = connect(server)) {
            long begun = System.nanoTime();
            assertThat(connection.send("POST", "/").status()).isEqualTo(201);
            HttpAnswer chunked = connection.send("POST", "/");
            assertThat(chunked.status()).isEqualTo(409);
            assertThat(chunked.body()).isEqualTo("no!");
            assertThat(connection.send("POST", "/").status()).isEqualTo(201);
            Premise.check(
                    server.connections() == 1 || System.nanoTime() - begun < LONGEST_IDLE.toNanos(),
                    "it is used again before it has been idle for too long");
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatClosesIsConnectedToAgain() throws IOException {
        String closing = "HTTP/1.1 503 x\r\nRetry-After: 3\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        String endless = "HTTP/1.0 200 OK\r\n\r\nall until the end";
        try (FakeServer server = new FakeServer(i -> i == 0 ? closing : i == 1 ? endless : FakeServer.CREATED);
                HttpConnection connection = connect(server)) {
            assertThat(connection.send("POST", "/").retryAfterSeconds()).isEqualTo(3);
            assertThat(connection.send("GET", "/").body()).isEqualTo("all until the end");
            assertThat(connection.send("POST", "/").status()).isEqualTo(201);
            assertThat(server.connections()).isEqualTo(3);
        }
    }

    @Test
    void aServerThatIsNotThereHasSeenNothing() throws IOException {
        // The port of a server that was closed may be another's by now: nobody listens on one that is bound only.
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress nobody = (InetSocketAddress) bound.getLocalSocketAddress();
            HttpConnection connection = new HttpConnection(nobody, 10_000);
            assertThatThrownBy(() -> connection.send("POST", "/")).isInstanceOf(NotSentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rubbish\r\n\r\n", "HTTP/1.1 20", "HTTP/1.1 abc d\r\n\r\n", "HTTP/2 201\r\n\r\n", "\r\n"})
    void whatIsNotHttpLeavesItUnknown(String answer) throws IOException {
        try (FakeServer server = new FakeServer(i -> answer + (answer.endsWith("20") ? "Connection: close" : ""));
                HttpConnection connection = connect(server)) {
            assertThatThrownBy(() -> connection.send("POST", "/"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NotSentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 201 \r\nContent-Length: 99\r\nConnection: close\r\n\r\nshort",
                "HTTP/1.1 201 \r\nContent-Length: x\r\nConnection: close\r\n\r\n",
                "HTTP/1.1 201 \r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n",
                "HTTP/1.1 201 \r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n",
                "HTTP/1.1 201 \r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nab"
            })
    void aStatusCountsEvenIfTheRestIsBroken(String answer) throws IOException {
        try (FakeServer server = new FakeServer(i -> i == 0 ? answer : FakeServer.CREATED);
                HttpConnection connection = connect(server)) {
            assertThat(connection.send("POST", "/").status()).isEqualTo(201);
            assertThat(connection.send("POST", "/").status()).isEqualTo(201);
        }
    }

    @Test
    void anAnswerThatTakesTooLongLeavesItUnknown() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        try (FakeServer server = new FakeServer(i -> {
                    end.await();
                    return null;
                });
                HttpConnection connection = new HttpConnection(server.address(), 100)) {
            assertThatThrownBy(() -> connection.send("POST", "/"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NotSentException.class);
        } finally {
            end.countDown();
        }
    }
}
