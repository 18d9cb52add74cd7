package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.PgBouncer;
import io.belay.servers.PostgresServer;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pooler between clients and PostgreSQL. */
@Tag("drivers")
@Tag("long")
class PoolerTest {
    @BeforeEach
    void programs() {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        assumeTrue(PgBouncer.isInstalled(), "there is no program pgbouncer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "statement"})
    void oneThatGivesEachTransactionToAnotherConnectionIsRefused(String mode) throws Exception {
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.start(server, mode)) {
            BelayAdmin.prepare(server.url());
            String url = server.url(pooler.port()) + "&belay-timeout=1s";
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, url))
                    .startsWith("PostgreSQL at 127.0.0.1:" + pooler.port() + " is behind a pooler that gives each")
                    .endsWith("use its session mode, or give Belay a direct connection");
            assertThat(Told.by(StoreMisconfiguredException.class, () -> BelayAdmin.examine(url)))
                    .contains("is behind a pooler");
        }
    }

    /** These begin a transaction by the first statement of a connection. */
    @ParameterizedTest
    @EnumSource(names = {"DBCP", "WRAPPED_HIKARI"})
    void oneThatKeepsSessionsDoesForAPoolWithoutAutoCommit(Pool kind) throws Exception {
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.start(server, "session")) {
            BelayAdmin.prepare(server.url());
            DataSource pool = kind.open(server.url(pooler.port()), 4);
            try (Belay belay = Belay.connect(Jdbc.in(pool), BelayOptions.defaults());
                    Lease held = belay.lock("a").acquire()) {
                assertThat(held.isHeld()).isTrue();
            } finally {
                Pool.close(pool);
            }
        }
    }

    @Test
    void oneThatKeepsSessionsDoes() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.start(server, "session")) {
            BelayAdmin.prepare(server.url());
            try (Belay belay = Belay.connect(server.url(pooler.port()));
                    Belay other = Belay.connect(server.url(pooler.port()))) {
                Lease held = belay.lock("a").acquire();
                CompletableFuture<Lease> waiting = other.lock("a").acquireAsync();
                belay.lock("b").acquire().release();
                held.release();
                waiting.join().release();
            }
        }
    }
}
