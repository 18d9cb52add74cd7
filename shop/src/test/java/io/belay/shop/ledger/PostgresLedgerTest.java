package io.belay.shop.ledger;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.StoreMisconfiguredException;
import io.belay.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresLedgerTest extends LedgerContract {
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

    @Test
    void whoIsRefusedByAFenceWithNamesAsTextIsToldSo() throws Exception {
        execute(url(), "DROP TABLE belay_fence");
        execute(url(), "CREATE TABLE belay_fence (name VARCHAR(512) PRIMARY KEY, token BIGINT NOT NULL)");
        try {
            raiseByBelay(2);
            assertThatThrownBy(() -> raiseByBelay(1))
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageStartingWith("the table belay_fence has the names of locks as text");
        } finally {
            execute(url(), "DROP TABLE belay_fence");
        }
    }

    @Test
    void aWrongDatabaseIsNamedWithoutThePassword() {
        String url = server.url().replace("/postgres?", "/nix?") + "&password=secret";
        assertThatThrownBy(() -> Ledger.open(url, null, null, 1))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("nix")
                .hasMessageContaining("password=***")
                .message()
                .doesNotContain("secret")
                .doesNotContain("\n");
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Ledger.open("jdbc:postgresql://127.0.0.1:1/shop?user=u", null, null, 1))
                .isInstanceOf(LedgerException.class)
                .hasMessageContaining("127.0.0.1:1");
    }
}
