package io.belay.dashboard;

import io.belay.servers.ChildJvm;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of an application, in a process that has set nothing for its server: who sends half a request does not keep it. */
@Tag("long")
@Tag("processes")
class HalfRequestsTest {
    /** As many as the server has threads. */
    private static final int HALVES = 8;

    @Test
    void theyAreGivenUp() throws Exception {
        List<Socket> halves = new ArrayList<>();
        try (ChildJvm process = ChildJvm.start(ManyViewersTest.Server.class, "memory:half")) {
            URI url = URI.create(process.line());
            InetSocketAddress address = new InetSocketAddress(url.getHost(), url.getPort());
            for (int i = 0; i < HALVES; i++) {
                Socket half = new Socket();
                halves.add(half);
                half.connect(address);
                half.getOutputStream().write("GET / HTTP/1.1\r\nHost: 127.0.0.1".getBytes(StandardCharsets.UTF_8));
                half.getOutputStream().flush();
            }
            // The server gives them up after twenty seconds.
            Visitor visitor = new Visitor(address);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .ignoreExceptions()
                    .until(() -> visitor.get("/").status() == 200);
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
    }
}
