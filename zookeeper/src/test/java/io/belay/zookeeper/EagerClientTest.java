package io.belay.zookeeper;

import io.belay.servers.Pace;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** Clients of ZooKeeper's as we make them. */
class EagerClientTest {
    /** As a server does that is just starting. */
    @Test
    void aServerThatGivesNoSessionIsTriedAgainLongBeforeASessionIsOver() throws Exception {
        Premise.withLease(Duration.ofSeconds(6), EagerClientTest::isTriedAgainBefore);
    }

    private static void isTriedAgainBefore(Duration session) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            silent.setSoTimeout((int) Pace.patience().plus(session).toMillis());
            String server = "127.0.0.1:" + silent.getLocalPort();
            ZooKeeper client = new EagerClient(UnaryOperator.identity())
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
