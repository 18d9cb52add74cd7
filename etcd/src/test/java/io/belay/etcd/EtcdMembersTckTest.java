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

/** The same on three members, of which any may answer. */
@Tag("consensus")
@Tag("long")
class EtcdMembersTckTest extends StoreTck {
    private static final int MEMBERS = 3;

    private static List<EtcdServer> members = List.of();

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(EtcdServer.isInstalled(), "there is no program etcd");
        members = EtcdServer.start(MEMBERS);
    }

    @AfterAll
    static void end() {
        members.forEach(EtcdServer::close);
    }

    @Override
    protected StoreSpec open() throws IOException {
        return new EtcdSpec(members);
    }
}
