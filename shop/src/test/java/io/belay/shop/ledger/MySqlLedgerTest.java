package io.belay.shop.ledger;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.MySqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** By MariaDB's driver, which serves the ledger in both. */
@Tag("long")
class MySqlLedgerTest extends LedgerContract {
    private static MySqlServer server;

    @BeforeAll
    static void startServer() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        server = MySqlServer.start();
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    String url() {
        return server.url().replace("jdbc:mysql:", "jdbc:mariadb:");
    }
}
