package io.belay.shop.ledger;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.MariaDbServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MariaDbLedgerTest extends LedgerContract {
    private static MariaDbServer server;

    @BeforeAll
    static void startServer() throws Exception {
        assumeTrue(MariaDbServer.isAmongDatabases(), "there is no program mariadbd, or the proof is short");
        server = MariaDbServer.start();
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    String url() {
        return server.url();
    }
}
