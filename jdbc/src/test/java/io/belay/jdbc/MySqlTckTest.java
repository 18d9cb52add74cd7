package io.belay.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.MySqlServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("drivers")
@Tag("long")
class MySqlTckTest extends StoreTck {
    static final JdbcSpec.Turns TURNS = new JdbcSpec.Turns();
    static MySqlServer server;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        server = MySqlServer.start();
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected StoreSpec open() throws Exception {
        return JdbcSpec.of(server, server::url, TURNS);
    }
}
