package ownstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.document.Documents.Session;
import io.belay.spi.StoreException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A connection that ends in the middle of a value. */
class HalfValueTest {
    @Test
    void theServerKeepsNoHalfOfAState() throws Exception {
        try (ValueServer server = new ValueServer(0)) {
            URI url = URI.create(server.url());
            try (Socket client = new Socket(url.getHost(), url.getPort())) {
                DataOutputStream out = new DataOutputStream(client.getOutputStream());
                out.writeByte(ValueServer.WRITE);
                out.writeUTF("x");
                out.writeLong(0); // there is none before
                out.writeLong(Long.MAX_VALUE); // not after
                out.writeLong(1); // the version
                out.writeLong(Long.MAX_VALUE); // to forget it
                out.writeInt(100);
                out.write(new byte[50]);
                client.shutdownOutput();
                assertThat(client.getInputStream().read()).as("the server hangs up").isEqualTo(-1);
            }
            try (Session session = new ValueDocuments(server.url()).connect()) {
                assertThat(session.read(List.of("x")).found()).isEmpty();
            }
        }
    }

    @Test
    void theClientTakesHalfOfAStateForNoAnswer() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> answerHalf(server));
            try (Session session = new ValueDocuments("values://127.0.0.1:" + server.getLocalPort()).connect()) {
                assertThatThrownBy(() -> session.read(List.of("x")))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("no answer");
            }
            answer.join();
        }
    }

    private static void answerHalf(ServerSocket server) {
        try (Socket client = server.accept()) {
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            out.writeLong(0); // the time
            out.writeLong(1); // the version
            out.writeInt(100);
            out.write(new byte[50]);
            client.shutdownOutput();
            client.getInputStream().readAllBytes(); // the question, until who has asked it goes
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
