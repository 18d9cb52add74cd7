package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.StoreMisconfiguredException;
import io.belay.document.Documents.Change;
import io.belay.document.Documents.Session;
import io.belay.servers.MariaDbServer;
import io.belay.servers.Pace;
import io.belay.spi.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch that is made in part, while others go on changing what it has changed. */
class PartialWriteTest {
    private static final long NEVER = Long.MAX_VALUE;

    /** What a test does before a statement is prepared. */
    private Consumer<String> before = sql -> {};

    /** Connections that tell of each statement. */
    private DataSource source(String url) {
        return proxy(DataSource.class, null, (name, arguments) -> {
            if (!name.equals("getConnection")) {
                throw new UnsupportedOperationException(name);
            }
            return proxy(Connection.class, DriverManager.getConnection(url), (called, given) -> {
                if (called.equals("prepareStatement")) {
                    before.accept((String) given[0]);
                }
                return null;
            });
        });
    }

    private interface Call {
        /** Returns what is answered, or null if the real object is to be asked. */
        Object call(String name, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, T real, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object answer = call.call(method.getName(), arguments);
                    if (answer != null || real == null) {
                        return answer;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static Change change(String name, long was, long version) {
        return new Change(name, was, version, new byte[] {1}, NEVER);
    }

    @Test
    void saysWhatItHasMadeThoughSomebodyHasChangedThatSince(@TempDir Path directory) {
        for (String url :
                List.of("jdbc:h2:mem:partial;DB_CLOSE_DELAY=-1", "jdbc:sqlite:" + directory.resolve("x.db"))) {
            BelayAdmin.prepare(url.startsWith("jdbc:sqlite:") ? url + "?belay-own-file=false" : url);
            JdbcDocuments documents = new JdbcDocuments(Connections.of(source(url), Settings.DEFAULT));
            try (Session session = documents.connect();
                    Session other = documents.connect()) {
                session.write(List.of(change("a", 0, 1), change("b", 0, 1)), NEVER);
                // Whoever reads again finds a version that is neither the old one nor this client's.
                before = sql -> {
                    if (sql.startsWith("SELECT c.clock")) {
                        before = none -> {};
                        assertThat(other.write(List.of(change("a", 2, 3)), NEVER))
                                .containsExactly("a");
                    }
                };
                assertThat(session.write(List.of(change("a", 1, 2), change("b", 7, 8)), NEVER))
                        .as(url)
                        .containsExactly("a");
            }
        }
    }

    /** MySQL and MariaDB only count new rows. A look shows which they are, but not where somebody has changed one since. */
    @Test
    @Tag("drivers")
    void doesNotSayThatANewRowWasNotMadeAsSomebodyHasChangedThatSince() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer server = MariaDbServer.start()) {
            BelayAdmin.prepare(server.url());
            JdbcDocuments documents = new JdbcDocuments(Connections.of(source(server.url()), Settings.DEFAULT));
            try (Session session = documents.connect();
                    Session other = documents.connect()) {
                other.write(List.of(change("a", 0, 1)), NEVER);
                before = sql -> {
                    if (sql.startsWith("SELECT c.clock")) {
                        before = none -> {};
                        other.write(List.of(change("b", 2, 3)), NEVER);
                    }
                };
                assertThatThrownBy(() -> session.write(List.of(change("a", 0, 2), change("b", 0, 2)), NEVER))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.isTemporary()).isTrue())
                        .hasMessageContaining("it cannot be told whether");
            }
        }
    }

    /** As by MySQL's driver with {@code rewriteBatchedStatements}: two are made when the third is lost in a deadlock. */
    @Test
    void whatIsMadeBeforeADeadlockThatIsToldWithoutCountsIsFound() throws Exception {
        String url = "jdbc:h2:mem:deadlock;DB_CLOSE_DELAY=-1";
        BelayAdmin.prepare(url);
        List<String> names = List.of("a", "b", "c", "d");
        List<Change> changes = names.stream().map(name -> change(name, 1, 2)).toList();
        JdbcDocuments documents = new JdbcDocuments(Connections.of(JdbcUrl.parse(url)));
        try (Session session = documents.connect();
                Connection real = DriverManager.getConnection(url)) {
            session.write(names.stream().map(name -> change(name, 0, 1)).toList(), NEVER);
            PreparedStatement batch = proxy(PreparedStatement.class, null, (name, arguments) -> {
                if (name.equals("executeBatch")) {
                    session.write(changes.subList(0, 2), NEVER);
                    throw new SQLException("Deadlock found when trying to get lock", "40001", 1213);
                }
                return null;
            });
            String read = "SELECT 0, name, version, state FROM belay_lock WHERE name IN (?, ?, ?, ?)";
            Connection mysql = proxy(Connection.class, null, (name, arguments) -> {
                if (!name.equals("prepareStatement")) {
                    throw new UnsupportedOperationException(name);
                }
                return ((String) arguments[0]).startsWith("UPDATE") ? batch : real.prepareStatement(read);
            });
            JdbcSession lost = new JdbcSession(
                    mysql,
                    Connections.of(JdbcUrl.parse("jdbc:mysql://h/d")),
                    Statements.of(Dialect.MYSQL, Settings.DEFAULT),
                    0);
            assertThat(lost.write(changes, NEVER)).containsExactlyInAnyOrder("a", "b");
        }
    }

    /** H2 then does the statement again from the start, which so finds its own first row there. */
    @Test
    void whatH2HasMadeBeforeARowThatAnotherMakesIsSaidToBeMade() throws Exception {
        String url = "jdbc:h2:mem:half;DB_CLOSE_DELAY=-1";
        BelayAdmin.prepare(url);
        JdbcDocuments documents = new JdbcDocuments(Connections.of(JdbcUrl.parse(url)));
        try (Session session = documents.connect();
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            other.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
            other.setAutoCommit(false);
            statement.execute("INSERT INTO belay_lock (name, version, state, forget) VALUES (X'62', 9, X'01', 0)"); // b
            CompletableFuture<Set<String>> made = CompletableFuture.supplyAsync(
                    () -> session.write(List.of(change("a", 0, 1), change("b", 0, 1)), NEVER));
            await().until(() -> {
                try (ResultSet first = statement.executeQuery("SELECT 1 FROM belay_lock WHERE name = X'61'")) {
                    return first.next();
                }
            });
            other.commit();
            assertThat(made.get(Pace.seconds(), TimeUnit.SECONDS)).containsExactly("a");
        }
    }

    /** H2 changes rows by one statement and makes new ones by another, which may be refused after the first was done. */
    @Test
    void whatWasReleasedBesideARowThatIsRefusedIsNotSaidToBeLost() throws Exception {
        String url = "jdbc:h2:mem:refused;DB_CLOSE_DELAY=-1";
        BelayAdmin.prepare(url);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE belay_lock ADD CHECK (name <> X'62')"); // b
        }
        // A release that is not answered in time has another outcome.
        BelayOptions patient = BelayOptions.defaults().withRequestTimeout(Pace.patience());
        try (Belay belay = Belay.connect(url, patient)) {
            for (int round = 0; round < 10; round++) {
                List<CompletableFuture<Lease>> held = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    held.add(belay.lock("a" + i).acquireAsync());
                }
                List<CompletableFuture<ReleaseOutcome>> released = new ArrayList<>();
                for (CompletableFuture<Lease> lease : held) {
                    lease.get(Pace.seconds(), TimeUnit.SECONDS);
                }
                CompletableFuture<Lease> refused = new CompletableFuture<>();
                for (int i = 0; i < held.size(); i++) {
                    released.add(held.get(i).join().releaseAsync());
                    if (i == held.size() / 2) {
                        refused = belay.lock("b").acquireAsync();
                    }
                }
                for (CompletableFuture<ReleaseOutcome> outcome : released) {
                    assertThat(outcome.get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
                }
                assertThat(refused)
                        .failsWithin(Duration.ofSeconds(Pace.seconds()))
                        .withThrowableThat()
                        .withCauseInstanceOf(StoreMisconfiguredException.class);
            }
        }
    }
}
