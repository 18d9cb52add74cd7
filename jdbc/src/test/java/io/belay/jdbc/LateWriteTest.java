package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.BelayAdmin;
import io.belay.document.Documents;
import io.belay.servers.MariaDbServer;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a client computed too long ago is not written, also if it came in time and had to wait for somebody else's transaction. */
@Tag("drivers")
@Tag("long")
class LateWriteTest {
    private static final long SOON = 200_000;

    @Test
    void isRefusedByPostgres() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            isRefused(server.url());
        }
    }

    @Test
    @Tag("long")
    void isRefusedByMariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            isRefused(server.url());
        }
    }

    private static void isRefused(String url) throws Exception {
        BelayAdmin.prepare(url);
        try (Documents.Session session = connect(url);
                Documents.Session clock = connect(url);
                Connection other = DriverManager.getConnection(url)) {
            List<Documents.Change> first = changes(0, 1, "a", "b");
            assertThat(session.write(first, Long.MAX_VALUE)).hasSize(2);
            other.setAutoCommit(false);
            lock(other);
            long notAfter = clock.read(List.of("a")).time() + SOON;
            assertThat(whileLocked(session, changes(1, 2, "a"), notAfter, clock, other))
                    .isEmpty();
            // Several wait for nobody's transaction, so they are late before.
            List<Documents.Change> several = changes(1, 2, "a", "b");
            assertThat(session.write(several, notAfter)).isEmpty();
            lock(other);
            assertThat(session.write(several, Long.MAX_VALUE)).containsExactly("b");
            other.rollback();
            assertThat(session.write(changes(1, 2, "a"), Long.MAX_VALUE)).containsExactly("a");
        }
    }

    private static Set<String> whileLocked(
            Documents.Session session,
            List<Documents.Change> changes,
            long notAfter,
            Documents.Session clock,
            Connection other)
            throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Set<String>> written = thread.submit(() -> session.write(changes, notAfter));
            await().until(() -> clock.read(List.of("a")).time() > notAfter);
            other.rollback();
            return written.get(Pace.seconds(), TimeUnit.SECONDS);
        } finally {
            thread.shutdownNow();
        }
    }

    private static Documents.Session connect(String url) {
        return new JdbcDocuments(Connections.of(JdbcUrl.parse(url))).connect();
    }

    private static List<Documents.Change> changes(long before, long version, String... resources) {
        return Stream.of(resources)
                .map(resource -> new Documents.Change(resource, before, version, new byte[] {1}, Long.MAX_VALUE))
                .toList();
    }

    private static void lock(Connection connection) throws Exception {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT version FROM belay_lock WHERE name = ? FOR UPDATE")) {
            statement.setBytes(1, "a".getBytes(StandardCharsets.UTF_8));
            statement.executeQuery().close();
        }
    }
}
