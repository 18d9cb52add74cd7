package io.belay.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.PostgresServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("drivers")
@Tag("client-elsewhere")
@Tag("costly-elsewhere")
class PostgresTckTest extends StoreTck {
    private static final JdbcSpec.Turns TURNS = new JdbcSpec.Turns();
    private static PostgresServer server;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        server = PostgresServer.start();
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
