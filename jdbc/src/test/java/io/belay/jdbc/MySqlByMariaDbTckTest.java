package io.belay.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.MySqlServer;
import io.belay.tck.StoreSpec;
import io.belay.tck.StoreTck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** MariaDB's driver, which stands in for MySQL's where that is not on the class path; by {@code ./verify --servers all}. */
@Tag("drivers")
@EnabledIfEnvironmentVariable(named = "BELAY_SERVERS", matches = ".+")
class MySqlByMariaDbTckTest extends StoreTck {
    private static final JdbcSpec.Turns TURNS = new JdbcSpec.Turns();
    private static MySqlServer server;

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
        return JdbcSpec.of(server, port -> server.url(port).replace("jdbc:mysql:", "jdbc:mariadb:"), TURNS);
    }
}
