package io.belay.zookeeper;

import io.belay.servers.Stalls;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** Clients of ZooKeeper's as we make them. */
class EagerClientTest {
    private static final Duration SESSION = Duration.ofSeconds(6);

    /** As a server does that is just starting. */
    @Test
    void aServerThatGivesNoSessionIsTriedAgainLongBeforeASessionIsOver() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            silent.setSoTimeout((int) SESSION.multipliedBy(10).toMillis());
            String server = "127.0.0.1:" + silent.getLocalPort();
            ZooKeeper client = new EagerClient().newZooKeeper(server, (int) SESSION.toMillis(), event -> {}, false);
            try (Socket first = silent.accept();
                    Stalls stalls = Stalls.watch();
                    Socket second = silent.accept()) {
                stalls.inTime(stalls.taken().compareTo(SESSION) < 0, "tried again, " + first + " and " + second);
            } finally {
                client.close(1);
            }
        }
    }
}
