package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.servers.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A URL with several hosts, of which one is silent, as one whose machine is off, or away. */
@Tag("drivers")
@Tag("long")
class PostgresHostsTest {
    @Test
    void theNextOneIsAskedInTime() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        List<Socket> queued = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start();
                ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            BelayAdmin.prepare(server.url());
            fill(silent, queued);
            String url = server.url().replace("//", "//127.0.0.1:" + silent.getLocalPort() + ",")
                    + "&targetServerType=primary";
            try (Belay belay = Belay.connect(url)) {
                assertThat(belay.lock("x").acquire().isHeld()).isTrue();
            }
        } finally {
            for (Socket socket : queued) {
                socket.close();
            }
        }
    }

    /** Nobody has noticed that the standby has no TLS, and the primary is restarted: that is an outage, and is waited for. */
    @Test
    void whileOneIsAwayAnotherMayRefuse() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start();
                Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress("127.0.0.1", 0)); // nobody listens there
            String plain = "127.0.0.1:" + server.port();
            String closed = "127.0.0.1:" + bound.getLocalPort();
            for (String hosts : List.of(plain + "," + closed, closed + "," + plain)) {
                // Another user of the driver, which remembers for all who was away.
                assertThatThrownBy(() -> DriverManager.getConnection("jdbc:postgresql://" + closed + "/postgres"))
                        .isInstanceOf(SQLException.class);
                String url = "jdbc:postgresql://" + hosts + "/postgres?user=postgres&sslmode=require";
                assertThat(Told.byConnecting(StoreUnavailableException.class, url))
                        .startsWith("PostgreSQL at " + hosts + " cannot be reached or does not answer: ");
            }
            String both = "jdbc:postgresql://" + plain + ",localhost:" + server.port()
                    + "/postgres?user=postgres&sslmode=require";
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, both))
                    .contains(" refuses the connection: ");
        }
    }

    /** Connects until the queue of those that nobody accepts is full: who comes then hears nothing. */
    private static void fill(ServerSocket silent, List<Socket> queued) throws IOException {
        try {
            while (queued.size() < 10) {
                Socket socket = new Socket();
                queued.add(socket);
                socket.connect(silent.getLocalSocketAddress(), 500);
            }
        } catch (SocketTimeoutException e) {
            // It is full.
        }
    }
}
