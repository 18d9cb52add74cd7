package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.Lease;
import io.belay.document.Documents;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A PostgreSQL whose encoding has few characters: names are bytes there, but in a call, which is text. */
class PostgresEncodingTest {
    private static final List<String> NAMES = List.of("order:%41+ 5", "größe", "order:5 €", "a+b %E2 日本 \uD83D\uDCB6");

    private static void run(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aCallNamesALockThatTheDatabaseCannotWrite() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no PostgreSQL");
        try (PostgresServer server = PostgresServer.start()) {
            run(server.url(), "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
            String url = server.url().replace("/postgres?", "/latin?");
            BelayAdmin.prepare(url);
            everyCallIsHeard(url);
            isHandedOn(url, "order:5 €");
        }
    }

    private static void everyCallIsHeard(String url) throws SQLException {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (JdbcDocuments documents = new JdbcDocuments(Connections.of(JdbcUrl.parse(url)))) {
            documents.listen(7, new Documents.Bell() {
                @Override
                public void rang(String resource) {
                    heard.add(resource);
                }

                @Override
                public void missed() {}
            });
            List<String> all = new ArrayList<>();
            all.add("\u0001%zz"); // of somebody else
            all.addAll(NAMES);
            run(url, "SELECT pg_notify('belay_7', chr(1) || '%zz')");
            try (Documents.Session session = documents.connect()) {
                session.ring(
                        NAMES.stream().map(name -> new Documents.Call(7, name)).toList());
            }
            await().atMost(Pace.patience())
                    .untilAsserted(() -> assertThat(heard).containsExactlyElementsOf(all));
        }
    }

    private static void isHandedOn(String url, String name) throws Exception {
        try (Belay one = Belay.connect(url);
                Belay other = Belay.connect(url)) {
            Lease held = one.lock(name).acquire();
            CompletableFuture<Lease> waiting = other.lock(name).acquireAsync();
            await().atMost(Pace.patience())
                    .until(() -> one.admin().inspect(name).claims().size() == 2);
            held.release();
            waiting.get(Pace.seconds(), TimeUnit.SECONDS).release();
        }
    }
}
