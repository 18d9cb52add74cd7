package io.belay.etcd;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.EtcdServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("consensus")
class EtcdTckTest extends StoreTck {
    private static EtcdServer server;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        server = EtcdServer.start();
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected StoreSpec open() throws IOException {
        return new EtcdSpec(List.of(server));
    }
}
