package io.belay.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members that are cut off: here one that speaks, and one that says everything back. */
@Tag("selftest")
@Tag("long")
class PeersTest {
    private static final int A_WHILE_MILLIS = 100;
    private static final int PATIENCE_MILLIS = 10_000;

    private final Peers peers = new Peers();
    private ServerSocket echo;

    @BeforeEach
    void listen() throws IOException {
        echo = Ports.listen();
        Sockets.daemon("echo", () -> {
                    while (true) {
                        Socket socket = echo.accept();
                        Sockets.daemon("echoes", () -> socket.getInputStream().transferTo(socket.getOutputStream()))
                                .start();
                    }
                })
                .start();
    }

    @AfterEach
    void close() throws IOException {
        peers.close();
        echo.close();
    }

    private Socket throughSocks(String member) throws IOException {
        Socket socket = new Socket(new Proxy(Proxy.Type.SOCKS, Ports.address(peers.from(member))));
        socket.connect(Ports.address(echo.getLocalPort()));
        return socket;
    }

    private static void say(Socket socket, String what) throws IOException {
        socket.getOutputStream().write(what.getBytes(US_ASCII));
    }

    private static void hears(Socket socket, String what) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        assertThat(new String(socket.getInputStream().readNBytes(what.length()), US_ASCII))
                .isEqualTo(what);
    }

    private static void hearsNothing(Socket socket) throws IOException {
        socket.setSoTimeout(A_WHILE_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void whatOneSaysAndHearsComesLateWhereItWasCutOff() throws IOException {
        String port = Integer.toString(echo.getLocalPort());
        for (String name : new String[] {"m1", port}) {
            for (boolean says : new boolean[] {true, false}) {
                try (Socket socket = throughSocks("m1")) {
                    say(socket, "before");
                    hears(socket, "before");
                    peers.cutOff(Set.of(name), says, !says);
                    say(socket, "meanwhile");
                    hearsNothing(socket);
                    peers.heal(Set.of(name));
                    hears(socket, "meanwhile");
                }
            }
        }
    }

    @Test
    void othersGoOnAndNewConnectionsWait() throws IOException {
        peers.cutOff(Set.of("m1"), true, true);
        try (Socket other = throughSocks("m2")) {
            say(other, "x");
            hears(other, "x");
        }
        try (Socket socket = new Socket(new Proxy(Proxy.Type.SOCKS, Ports.address(peers.from("m1"))))) {
            assertThatThrownBy(() -> socket.connect(Ports.address(echo.getLocalPort()), A_WHILE_MILLIS))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void whoSpeaksHttpIsKnownByItsHeader() throws IOException {
        String request = "GET /raft HTTP/1.1\r\nX-Server-From: 8e9e05c52164694d\r\n\r\n";
        try (Socket socket = new Socket()) {
            socket.connect(Ports.address(peers.to(echo.getLocalPort())));
            peers.cutOff(Set.of("8e9e05c52164694d"), true, false);
            say(socket, request);
            hearsNothing(socket);
            peers.heal(Set.of("8e9e05c52164694d"));
            hears(socket, request);
        }
    }
}
