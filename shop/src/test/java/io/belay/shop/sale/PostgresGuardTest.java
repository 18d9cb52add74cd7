package io.belay.shop.sale;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresGuardTest extends GuardContract {
    private static PostgresServer server;

    @BeforeAll
    static void startServer() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        server = PostgresServer.start();
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
