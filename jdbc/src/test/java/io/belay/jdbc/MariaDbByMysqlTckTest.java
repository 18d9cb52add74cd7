package io.belay.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.MariaDbServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** MySQL's driver, as there may be no MySQL. */
@Tag("drivers")
@Tag("long")
@Tag("variant")
class MariaDbByMysqlTckTest extends StoreTck {
    private static final JdbcSpec.Turns TURNS = new JdbcSpec.Turns();
    private static MariaDbServer server;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        server = MariaDbServer.start();
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected StoreSpec open() throws Exception {
        return JdbcSpec.of(server, server::mysqlUrl, TURNS);
    }
}
