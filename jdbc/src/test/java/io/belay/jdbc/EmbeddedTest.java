package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.LockOptions;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.document.Documents;
import io.belay.servers.Premise;
import io.belay.servers.Stalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is special about databases without a server: one writer at a time in a file, and memory that is gone. */
class EmbeddedTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    @TempDir
    private Path directory;

    @Test
    void aTransactionOfSqliteThatIsLongerThanTheLeaseLosesNothing() throws Exception {
        Premise.withLease(LEASE, this::aTransactionOfSqliteLosesNothing);
    }

    private void aTransactionOfSqliteLosesNothing(Duration brief) throws Exception {
        String file = sqlite();
        List<LeaseLostException> lost = new CopyOnWriteArrayList<>();
        try (Belay belay = Belay.connect(file + "?belay-create=true");
                Connection connection = DriverManager.getConnection(file);
                Stalls stalls = Stalls.watch()) {
            Lease lease =
                    belay.lock("a", LockOptions.defaults().withLease(brief)).acquire();
            lease.onLost(lost::add);
            connection.setAutoCommit(false);
            SqlFence.standard().raise(connection, lease);
            Duration end = stalls.taken().plus(brief).plusSeconds(1);
            while (stalls.taken().compareTo(end) < 0) {
                stalls.inTime(lost.isEmpty(), "the lock is renewed");
                Thread.sleep(50);
            }
            connection.commit();
            stalls.inTime(lease.release() == ReleaseOutcome.RELEASED, "the lock is renewed until its release");
        }
    }

    /** A writer whose list of leases is empty by mistake would write as if it were guarded. */
    @Test
    void noLeaseAtAllRaisesNoFence() throws Exception {
        SqlFence fence = SqlFence.standard();
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:")) {
            connection.setAutoCommit(false);
            assertNoLease(() -> fence.raise(connection, List.of()));
            assertNoLease(() -> fence.raise(connection, List.of(), Duration.ofSeconds(1)));
            assertNoLease(() -> fence.announce(connection, List.of()));
            assertNoLease(() -> fence.isCurrent(connection, List.of()));
            assertNoLease(() -> fence.on(connection).raise(List.of()));
        }
    }

    private static void assertNoLease(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a fence is raised for one lock at least, and there is no token");
    }

    @Test
    void ofSqliteTheLocksAreInAFileBesideTheFence() throws Exception {
        BelayAdmin.prepare(sqlite());
        assertThat(tables(sqlite())).containsExactly("belay_fence");
        assertThat(tables(sqlite() + ".belay")).containsExactly("belay_lock");
        assertThat(new JdbcStoreProvider().schema(sqlite()))
                .get()
                .asString()
                .contains("In the file of the locks, " + directory.resolve("x.db.belay"))
                .contains("In the file that is guarded, " + directory.resolve("x.db") + ":");
        try (Belay belay = Belay.connect(sqlite())) {
            belay.lock("a").acquire().release();
        }
    }

    @Test
    void ofSqliteALinkLeadsToTheSameLocks() throws Exception {
        BelayAdmin.prepare(sqlite());
        Path link = Files.createSymbolicLink(directory.resolve("link.db"), directory.resolve("x.db"));
        try (Belay belay = Belay.connect(sqlite());
                Belay byLink = Belay.connect("jdbc:sqlite:" + link);
                Belay byUri = Belay.connect("jdbc:sqlite:file:" + link);
                Lease lease = belay.lock("a").acquire()) {
            assertThat(Premise.answered(() -> byLink.lock("a").tryAcquire())).isEmpty();
            assertThat(Premise.answered(() -> byUri.lock("a").tryAcquire())).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void ofSqliteALinkWhoseNameIsEncodedInAUriLeadsToTheSameLocks() throws Exception {
        Path file = directory.resolve("100%25#.db");
        String plain = "jdbc:sqlite:" + file;
        BelayAdmin.prepare(plain);
        Files.createSymbolicLink(directory.resolve("my link+.db"), file);
        try (Belay belay = Belay.connect(plain);
                Belay byUri =
                        Belay.connect("jdbc:sqlite:file:" + directory.resolve("my%20link+.db") + "?belay-create=true");
                Lease lease = belay.lock("a").acquire()) {
            assertThat(Premise.answered(() -> byUri.lock("a").tryAcquire())).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Who comes first would name its file of locks after the link, and who comes later after the file that is there by then. */
    @Test
    void ofSqliteALinkThatIsThereBeforeTheFileLeadsToTheSameLocks() throws Exception {
        Path linked = Files.createDirectory(directory.resolve("linked"));
        Path link = Files.createSymbolicLink(directory.resolve("link.db"), linked.resolve("middle.db"));
        Files.createSymbolicLink(linked.resolve("middle.db"), Path.of("../x.db"));
        String byLink = "jdbc:sqlite:" + link;
        try (Belay first = Belay.connect(byLink + "?belay-create=true");
                Belay belay = Belay.connect(sqlite());
                Belay later = Belay.connect(byLink);
                Lease lease = first.lock("a").acquire()) {
            assertThat(directory.resolve("x.db")).exists(); // with the fence in it
            assertThat(Premise.answered(() -> belay.lock("a").tryAcquire())).isEmpty();
            assertThat(Premise.answered(() -> later.lock("a").tryAcquire())).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** To change the journal of a file, as for that of the locks, takes it alone, and stays. */
    @Test
    void theUsersFileOfSqliteKeepsItsJournalAndMayBeInUse() throws Exception {
        String url = sqlite() + "?belay-create=true";
        Belay.connect(url).close();
        assertThat(journal(sqlite())).isEqualTo("delete");
        assertThat(journal(sqlite() + ".belay")).isEqualTo("wal");
        try (Connection connection = DriverManager.getConnection(sqlite());
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            Belay.connect(url).close();
            statement.execute("ROLLBACK");
        }
    }

    /** They would take the file of locks from each other as they connect. */
    @ParameterizedTest
    @ValueSource(strings = {"journal_mode=DELETE", "journal_mode=TRUNCATE", "locking_mode=EXCLUSIVE"})
    void howTheUsersFileOfSqliteIsWrittenKeepsNoClientFromTheLocks(String how) throws Exception {
        String url = sqlite() + "?" + how + "&belay-create=true";
        try (Belay belay = Belay.connect(url);
                Lease lease = belay.lock("a").acquire();
                Belay other = Belay.connect(url)) {
            assertThat(Premise.answered(() -> other.lock("a").tryAcquire())).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private static String journal(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA journal_mode")) {
            return row.getString(1);
        }
    }

    @Test
    void ofSqliteAllIsInOneFileWhereThatIsWanted() throws Exception {
        String url = sqlite() + "?belay-own-file=false";
        BelayAdmin.prepare(url);
        assertThat(tables(sqlite())).containsExactly("belay_fence", "belay_lock");
        assertThat(new JdbcStoreProvider().schema(url)).get().asString().doesNotContain("file");
        try (Belay belay = Belay.connect(url)) {
            belay.lock("a").acquire().release();
        }
    }

    @Test
    void aDatabaseOfH2ThatEndedWithItsLastConnectionIsToldWithTheCure() {
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, "jdbc:h2:mem:gone;belay-create=true"))
                .startsWith("H2 in memory has no table belay_lock")
                .contains("DB_CLOSE_DELAY=-1");
        assertThat(Told.byConnecting(StoreMisconfiguredException.class, "jdbc:h2:mem:stays;DB_CLOSE_DELAY=-1"))
                .startsWith("H2 has no table belay_lock")
                .doesNotContain("DB_CLOSE_DELAY");
    }

    /** Its driver would make an empty one, by which a mistake in the path could not be told. */
    @Test
    void aFileIsMadeWhereTablesAreAlone() throws Exception {
        List<String> urls = List.of(
                sqlite(),
                "jdbc:sqlite:file:" + directory.resolve("x%2ey") + "?belay-own-file=false",
                "jdbc:h2:" + directory.resolve("x"));
        for (String url : urls) {
            assertThat(Told.byConnecting(StoreMisconfiguredException.class, url))
                    .startsWith(url.startsWith("jdbc:h2:") ? "H2 has no database" : "SQLite has no file")
                    .contains("or have the client make it (belay-create=true in the URL that Belay is given");
            assertThat(directory).isEmptyDirectory();
        }
        for (String url : urls) {
            Belay.connect(Jdbc.at(url).withTablesMade(), BelayOptions.defaults())
                    .close();
            Belay.connect(url).close();
        }
        assertThat(directory.resolve("x.y")).exists();
    }

    @Test
    void aFileOfH2IsMadeByAUrlThatMakesItsTables() throws Exception {
        String url = "jdbc:h2:" + directory.resolve("x");
        Path script = directory.resolve("tables.sql");
        Files.writeString(script, new JdbcStoreProvider().schema(url).orElseThrow());
        try (Belay belay = Belay.connect(url + ";INIT=RUNSCRIPT FROM '" + script + "'")) {
            belay.lock("a").acquire().release();
        }
    }

    /** Some modes, as tests have them beside another database, know less of H2's own language. */
    @ParameterizedTest
    @ValueSource(strings = {"STRICT", "Derby", "DB2", "HSQLDB", "MSSQLServer", "MySQL", "Oracle", "PostgreSQL"})
    void h2KeepsLocksInEachOfItsModes(String mode) throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;MODE=" + mode;
        try (Belay belay = Belay.connect(url + ";belay-create=true");
                Connection connection = DriverManager.getConnection(url);
                Lease lease = belay.lock("a").acquire()) {
            connection.setAutoCommit(false);
            SqlFence.standard().raise(connection, lease);
            connection.commit();
            assertThat(belay.admin().names("")).containsExactly("a");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /** A server takes the zone of each client for its session, and one that has summer time shows an hour twice. */
    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Asia/Tokyo", "America/New_York"})
    void theClockOfH2IsTheSameInAllTimeZones(String zone) {
        Connections source = Connections.of(
                JdbcUrl.parse("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;TIME ZONE=" + zone));
        Schema.create(source);
        long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        long before = now - TimeUnit.MINUTES.toMicros(1);
        long soon = now + TimeUnit.MINUTES.toMicros(1);
        try (JdbcSession session = new JdbcDocuments(source).connect()) {
            assertThat(session.read(List.of("x")).time()).isBetween(before, soon);
            List<Documents.Change> fresh = List.of(change("x", 0, soon), change("y", 0, soon));
            assertThat(session.write(fresh, before)).isEmpty();
            assertThat(session.write(fresh, soon)).hasSize(2);
            List<Documents.Change> several = List.of(change("x", 1, soon), change("y", 1, soon));
            assertThat(session.write(several, before)).isEmpty();
            assertThat(session.write(several, soon)).hasSize(2);
            List<Documents.Change> one = List.of(change("x", 2, before));
            assertThat(session.write(one, before)).isEmpty();
            assertThat(session.write(one, soon)).hasSize(1);
            assertThat(session.delete(10)).isOne();
            assertThat(session.read(List.of("x", "y")).found()).containsOnlyKeys("y");
        }
    }

    private static Documents.Change change(String resource, long before, long forget) {
        return new Documents.Change(resource, before, before + 1, new byte[0], forget);
    }

    @Test
    void ofH2ClientsInTwoTimeZonesKeepEachOtherOut() throws Exception {
        String url = "jdbc:h2:mem:zones;DB_CLOSE_DELAY=-1;TIME ZONE=";
        BelayAdmin.prepare(url + "UTC");
        try (Belay near = Belay.connect(url + "UTC");
                Belay far = Belay.connect(url + "Asia/Tokyo");
                Lease lease = near.lock("a").acquire()) {
            assertThat(Premise.answered(() -> far.lock("a").tryAcquire())).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** SQLite's own pauses would be 100 ms each by now. */
    @Test
    void whoHasWaitedForLongForSqliteStillLooksOften() {
        SqliteBackoff patience = new SqliteBackoff(Duration.ofSeconds(30));
        patience.callback(0);
        long shortest = Long.MAX_VALUE;
        for (int pause = 100; pause < 150; pause++) {
            long begun = System.nanoTime();
            assertThat(patience.callback(pause)).isOne();
            shortest = Math.min(shortest, System.nanoTime() - begun);
        }
        assertThat(Duration.ofNanos(shortest)).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void aWriteToSqliteWaitsForAsLongAsTheUrlSays() throws Exception {
        Duration timeout = Duration.ofMillis(200);
        Connections source = Connections.of(JdbcUrl.parse(sqlite() + "?belay-timeout=" + timeout.toMillis() + "ms"));
        Schema.create(source);
        Premise.withLease(LEASE, lease -> aWriteToSqliteWaits(source, timeout));
    }

    private void aWriteToSqliteWaits(Connections source, Duration timeout) throws Exception {
        try (Connection writer = DriverManager.getConnection(sqlite() + ".belay");
                Connection waiting = source.open();
                Statement statement = waiting.createStatement()) {
            writer.setAutoCommit(false);
            writer.createStatement().execute("DELETE FROM belay_lock");
            try (Stalls stalls = Stalls.watch()) {
                assertThatThrownBy(() -> statement.execute("DELETE FROM belay_lock"))
                        .hasMessageContaining("SQLITE_BUSY");
                Duration waited = stalls.taken();
                assertThat(waited).isGreaterThanOrEqualTo(timeout);
                stalls.inTime(waited.toMillis() <= 4_500, "given up before the 5 s of the driver's setting");
            }
            writer.rollback();
            statement.execute("DELETE FROM belay_lock");
        }
    }

    private String sqlite() {
        return "jdbc:sqlite:" + directory.resolve("x.db");
    }

    private static List<String> tables(String url) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }
}
