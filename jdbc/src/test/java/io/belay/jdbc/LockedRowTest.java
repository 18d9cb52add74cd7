package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.document.Documents;
import io.belay.document.Documents.Change;
import io.belay.servers.MariaDbServer;
import io.belay.servers.MySqlServer;
import io.belay.servers.PostgresServer;
import io.belay.spi.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A row that somebody keeps locked: who waits for it is told so, and does not take it for others who were quicker. Of several
 * rows it is left out where a database can do that.
 */
@Tag("drivers")
@Tag("long")
class LockedRowTest {
    @Test
    void isToldByH2() throws Exception {
        isTold("jdbc:h2:mem:locked;DB_CLOSE_DELAY=-1", ";belay-timeout=8s");
    }

    @Test
    void isToldByH2AsAServer() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try {
            isTold(
                    "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:locked-there;DB_CLOSE_DELAY=-1",
                    ";belay-timeout=4s");
        } finally {
            server.stop();
        }
    }

    @Test
    void isToldByPostgres() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            isTold(server.url(), "&belay-timeout=8s");
        }
    }

    /** By whatever rewrites it: to ask again and again whether it is there would take so many times as long as it may. */
    @Test
    void aTableThatIsLockedIsNotMadeAgain() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            String url = server.url() + "&belay-timeout=400ms&belay-create=true";
            Belay.connect(url).close();
            try (Connection other = DriverManager.getConnection(server.url());
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.execute("LOCK TABLE belay_lock");
                assertThatThrownBy(() -> Belay.connect(url)).hasMessageContaining("another transaction keeps locked");
            }
            assertThat(server.log().lines().filter(line -> line.contains("due to lock timeout")))
                    .as("once as it is looked for, once as it is checked")
                    .hasSize(2);
        }
    }

    @Test
    void isToldByMariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            isTold("jdbc:mariadb://127.0.0.1:" + server.port() + "/belay?user=root", "&belay-timeout=8s");
            isTold("jdbc:mysql://127.0.0.1:" + server.port() + "/belay?user=root", "&belay-timeout=8s");
        }
    }

    /** The least that these wait for a row is longer: the session of the connection that broke so is waited for. */
    @Test
    void whoHasLessTimeThanTheServerConnectsAgain() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            connectsAgain(server.url());
            connectsAgain(server.mysqlUrl());
        }
    }

    @Test
    void whoHasLessTimeThanMySqlConnectsAgain() throws Exception {
        assumeTrue(MySqlServer.isInstalled(), MySqlServer::whyNot);
        try (MySqlServer server = MySqlServer.start()) {
            connectsAgain(server.url());
        }
    }

    private static void connectsAgain(String url) throws Exception {
        BelayAdmin.prepare(url);
        String brief = url + "&belay-timeout=500ms";
        try (Connections source = Connections.of(JdbcUrl.parse(brief));
                Documents.Session writer = new JdbcDocuments(source).connect();
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            writer.write(List.of(change("a", 0, 1)), Long.MAX_VALUE);
            source.checked();
            other.setAutoCommit(false);
            other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            statement.execute("SELECT version FROM belay_lock FOR UPDATE");
            for (int i = 0; i < 3; i++) {
                try (Documents.Session session = new JdbcDocuments(source).connect()) {
                    session.write(List.of(change("free" + i, 0, 1)), Long.MAX_VALUE);
                    assertThatThrownBy(() -> session.write(List.of(change("a", 1, 2)), Long.MAX_VALUE))
                            .as(url)
                            .hasMessageContaining("cannot be reached or does not answer");
                }
            }
            other.rollback();
            statement.execute("DELETE FROM belay_lock");
            other.commit();
        }
    }

    private static void isTold(String url, String timeout) throws Exception {
        BelayAdmin.prepare(url);
        String brief = url + timeout;
        try (Documents.Session writer = connect(brief);
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            writer.write(List.of(change("a", 0, 1), change("b", 0, 1)), Long.MAX_VALUE);
            other.setAutoCommit(false);
            // Which locks the rows alone, and not what is between.
            other.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            statement.execute("SELECT version FROM belay_lock FOR UPDATE");
            isTold(brief, List.of(change("a", 1, 2)));
            List<Change> several = List.of(change("a", 1, 2), change("b", 1, 2), change("c", 0, 1));
            if (url.startsWith("jdbc:h2:")) {
                isTold(brief, several);
            } else {
                try (Documents.Session session = connect(brief)) {
                    assertThat(session.write(several, Long.MAX_VALUE)).as(url).containsExactly("c");
                }
            }
            statement.execute("DELETE FROM belay_lock");
            other.commit();
        }
    }

    private static void isTold(String url, List<Change> changes) {
        try (Documents.Session session = connect(url)) {
            assertThatThrownBy(() -> session.write(changes, Long.MAX_VALUE))
                    .as("%s changes by %s", changes.size(), url)
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTemporary()).isTrue())
                    .hasMessageContaining(
                            "has a row of belay_lock, or all of that table, that another transaction keeps locked");
        }
    }

    private static Documents.Session connect(String url) {
        Connections source = Connections.of(JdbcUrl.parse(url));
        source.checked(); // until then a connection has longer than the URL says
        return new JdbcDocuments(source).connect();
    }

    private static Change change(String resource, long before, long version) {
        return new Change(resource, before, version, new byte[] {1}, Long.MAX_VALUE);
    }
}
