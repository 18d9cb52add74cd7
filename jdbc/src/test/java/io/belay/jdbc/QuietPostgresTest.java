package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.Lease;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A PostgreSQL that is not listened to, as those that speak its protocol and have no LISTEN. */
class QuietPostgresTest {
    private static int listening(String url) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE query ILIKE 'listen%'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void withoutTheBellAWaiterAsks() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
        try (PostgresServer server = PostgresServer.start()) {
            BelayAdmin.prepare(server.url());
            String quiet = server.url() + (server.url().contains("?") ? "&" : "?") + "belay-bell=false";
            try (Belay one = Belay.connect(quiet);
                    Belay other = Belay.connect(quiet)) {
                Lease held = one.lock("quiet").acquire();
                CompletableFuture<Lease> waiting = other.lock("quiet").acquireAsync();
                assertThat(one.admin().inspect("quiet").claims()).isNotEmpty();
                assertThat(listening(server.url())).isZero();
                held.release();
                Lease next = waiting.get(Pace.seconds(), TimeUnit.SECONDS);
                assertThat(next.token()).isGreaterThan(held.token());
                next.release();
            }
            try (Belay listens = Belay.connect(server.url())) {
                assertThat(listens.lock("loud").acquire().isHeld()).isTrue();
                assertThat(listening(server.url())).isOne();
            }
        }
    }
}
