package io.belay.zookeeper;

import io.belay.servers.ZooKeeperServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("consensus")
@Tag("client-elsewhere")
@Tag("costly-elsewhere")
class ZooKeeperTckTest extends StoreTck {
    private static ZooKeeperServer server;

    @BeforeAll
    static void start() throws Exception {
        server = ZooKeeperServer.start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Override
    protected StoreSpec open() throws IOException {
        return new ZooKeeperSpec(List.of(server));
    }
}
