package io.belay.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
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

    /** What it is given for that is a part of the session's time, of which it may grant far less than was asked for. */
    @Test
    @Tag("long")
    void aServerMayTakeAWhileToGiveASession() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                TcpProxy proxy = TcpProxy.to(server)) {
            proxy.delayReplies(Duration.ofMillis(500));
            Semaphore connected = new Semaphore(0);
            Watcher watcher = event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                    connected.release();
                }
            };
            try (ZooKeeper client = new EagerClient(UnaryOperator.identity(), Duration.ofMinutes(1))
                    .newZooKeeper("127.0.0.1:" + proxy.port(), 1_000_000_000, watcher, false)) {
                assertThat(connected.tryAcquire(Pace.seconds(), SECONDS)).isTrue();
                assertThat(client.getSessionTimeout()).isEqualTo(1_000_000);
                server.kill();
                server.restart();
                assertThat(connected.tryAcquire(Pace.seconds(), SECONDS))
                        .as("is connected again")
                        .isTrue();
            }
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
