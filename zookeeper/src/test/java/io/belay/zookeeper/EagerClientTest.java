package io.belay.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import io.belay.servers.ZooKeeperServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients of ZooKeeper's as we make them. */
class EagerClientTest {
    /** As a server does that is just starting. */
    @Test
    void aServerThatGivesNoSessionIsTriedAgainLongBeforeASessionIsOver() throws Exception {
        Premise.withLease(Duration.ofSeconds(6), EagerClientTest::isTriedAgainBefore);
    }

    /** As a member does that stands still, of an ensemble whose others serve. */
    @Test
    @Tag("long")
    void aServerThatGivesNoSessionLeavesTimeForAnotherToConnect() throws Exception {
        try (ZooKeeperServer serving = ZooKeeperServer.start();
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            silent.setSoTimeout(1);
            // The first one is asked whether it answers; a session is asked of them in any order.
            String url = serving.url() + ",127.0.0.1:" + silent.getLocalPort();
            int connections = 0;
            for (int i = 0; i < 30 && connections == 0; i++) {
                Belay.connect(url).close();
                connections += accepted(silent);
            }
            assertThat(connections).as("connections to the silent one").isPositive();
        }
    }

    private static int accepted(ServerSocket socket) throws IOException {
        try {
            socket.accept().close();
            return 1;
        } catch (SocketTimeoutException e) {
            return 0;
        }
    }

    private static void isTriedAgainBefore(Duration session) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            silent.setSoTimeout((int) Pace.patience().plus(session).toMillis());
            String server = "127.0.0.1:" + silent.getLocalPort();
            ZooKeeper client = new EagerClient(UnaryOperator.identity(), session.multipliedBy(4))
                    .newZooKeeper(server, (int) session.toMillis(), event -> {}, false);
            try (Socket first = silent.accept();
                    Stalls stalls = Stalls.watch();
                    Socket second = silent.accept()) {
                stalls.inTime(stalls.taken().compareTo(session) < 0, "tried again, " + first + " and " + second);
            } finally {
                client.close(1);
            }
        }
    }
}
