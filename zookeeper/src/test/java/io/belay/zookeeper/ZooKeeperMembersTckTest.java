package io.belay.zookeeper;

import io.belay.servers.ZooKeeperEnsemble;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same on three members, of which any may answer. */
@Tag("consensus")
@Tag("long")
class ZooKeeperMembersTckTest extends StoreTck {
    private static ZooKeeperEnsemble ensemble;

    @BeforeAll
    static void start() throws Exception {
        ensemble = ZooKeeperEnsemble.start();
    }

    @AfterAll
    static void end() {
        ensemble.close();
    }

    @Override
    protected StoreSpec open() throws IOException {
        return new ZooKeeperSpec(ensemble.members());
    }
}
