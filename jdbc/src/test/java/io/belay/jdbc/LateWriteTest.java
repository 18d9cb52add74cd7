package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.BelayAdmin;
import io.belay.document.Documents;
import io.belay.servers.MariaDbServer;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import io.belay.servers.Premise;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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
    private static final Duration SOON = Duration.ofMillis(200);

    @Test
    void isRefusedByPostgres() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start()) {
            isRefused(server.url(), "SELECT 1 FROM pg_locks WHERE NOT granted");
        }
    }

    @Test
    @Tag("long")
    void isRefusedByMariaDb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            isRefused(server.url(), "SELECT 1 FROM information_schema.processlist WHERE state = 'Updating'");
        }
    }

    /** @param waits selects a row for each one who waits for a lock */
    private static void isRefused(String url, String waits) throws Exception {
        BelayAdmin.prepare(url);
        try (Documents.Session session = connect(url);
                Documents.Session clock = connect(url);
                Connection other = DriverManager.getConnection(url)) {
            List<Documents.Change> first = changes(0, 1, "a", "b");
            assertThat(session.write(first, Long.MAX_VALUE)).hasSize(2);
            other.setAutoCommit(false);
            Premise.withLease(SOON, soon -> {
                lock(other);
                long notAfter = time(clock) + TimeUnit.MILLISECONDS.toMicros(soon.toMillis());
                assertThat(whileLocked(session, changes(1, 2, "a"), notAfter, clock, other, waits))
                        .isEmpty();
            });
            // Several wait for nobody's transaction, so they are late before.
            List<Documents.Change> several = changes(1, 2, "a", "b");
            assertThat(session.write(several, time(clock) - 1)).isEmpty();
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
            Connection other,
            String waits)
            throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Set<String>> written = thread.submit(() -> session.write(changes, notAfter));
            await().until(() -> written.isDone() || has(other, waits));
            Premise.check(time(clock) <= notAfter, "the write comes in time, and waits");
            await().until(() -> time(clock) > notAfter);
            other.rollback();
            return written.get(Pace.seconds(), TimeUnit.SECONDS);
        } finally {
            other.rollback();
            thread.shutdown();
            thread.awaitTermination(Pace.seconds(), TimeUnit.SECONDS);
        }
    }

    private static long time(Documents.Session clock) {
        return clock.read(List.of("a")).time();
    }

    private static boolean has(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next();
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
