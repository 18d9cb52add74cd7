package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.alibaba.druid.pool.DruidDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.BelayOptions;
import io.belay.Lease;
import io.belay.StoreUnavailableException;
import io.belay.servers.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/** Pools get back what Belay has borrowed, as it was, and never a connection that is of no use. */
@Tag("pools")
@Tag("long")
class PoolsTest {
    private static final int SIZE = 4;
    private static final Duration BRIEF = Duration.ofSeconds(2);

    private static PostgresServer server;

    /** A lock of each test's own. */
    private final String name = UUID.randomUUID().toString();

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        server = PostgresServer.start();
        BelayAdmin.prepare(server.url());
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachConnectionComesBackAsItWas(Pool kind) throws Exception {
        inPool(kind, SIZE, pool -> {
            List<String> before = settingsOfAll(pool);
            List<Integer> processes = processesOfAll(pool);
            try (Belay belay = Belay.connect(Jdbc.in(pool), BelayOptions.defaults());
                    Belay other = Belay.connect(server.url())) {
                Lease held = belay.lock(name).acquire();
                CompletableFuture<Lease> waiting = other.lock(name).acquireAsync();
                belay.lock(name + "b").acquire().release();
                assertThat(waiting).isNotDone();
                held.release();
                waiting.join().release();
            }
            assertThat(settingsOfAll(pool)).isEqualTo(before);
            assertThat(processesOfAll(pool)).as("it is the same ones").containsExactlyInAnyOrderElementsOf(processes);
        });
    }

    @ParameterizedTest
    @EnumSource
    void whatTheServerEndsIsReplaced(Pool kind) throws Exception {
        inPool(kind, SIZE, pool -> {
            List<String> before = settingsOfAll(pool);
            try (Belay belay = Belay.connect(Jdbc.in(pool), BelayOptions.defaults())) {
                belay.lock(name).acquire().release();
                run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND backend_type = 'client backend'");
                belay.lock(name).acquire().release();
            }
            // What has died while nobody used it is for the pool to find out, by the failures of whoever uses it.
            await().ignoreExceptionsInstanceOf(SQLException.class)
                    .untilAsserted(() -> assertThat(settingsOfAll(pool)).isEqualTo(before));
        });
    }

    /** As a source of an application server may give out: such a connection cannot be asked what it has heard. */
    @Test
    void aConnectionThatDoesNotUnwrapIsNotLeftListening() throws Exception {
        inPool(Pool.DBCP, SIZE, pool -> {
            List<String> before = settingsOfAll(pool);
            DataSource opaque = opaque(pool, () -> false);
            try (Belay belay = Belay.connect(Jdbc.in(opaque), BelayOptions.defaults())) {
                belay.lock(name).acquire().release();
            }
            assertThat(settingsOfAll(pool)).isEqualTo(before);
        });
    }

    /** Where the driver is an application server's, its classes cannot be loaded from here. */
    @Test
    void aDriverThatIsNotSeenFromHereIsNoHindrance() throws Exception {
        inPool(Pool.DBCP, SIZE, pool -> {
            List<String> before = settingsOfAll(pool);
            DataSource opaque = opaque(pool, () -> {
                throw new NoClassDefFoundError("org/postgresql/PGConnection");
            });
            try (Belay belay = Belay.connect(Jdbc.in(opaque), BelayOptions.defaults())) {
                belay.lock(name).acquire().release();
            }
            assertThat(settingsOfAll(pool)).isEqualTo(before);
        });
    }

    private static DataSource opaque(DataSource pool, Supplier<Object> isWrapper) {
        BiFunction<String, Object, Object> asked =
                (method, answer) -> method.equals("isWrapperFor") ? isWrapper.get() : answer;
        return answering(
                DataSource.class,
                pool,
                (method, answer) -> method.equals("getConnection")
                        ? answering(Connection.class, (Connection) answer, asked)
                        : answer);
    }

    /** Returns an object as a real one, but for some answers by the names of methods. */
    private static <T> T answering(Class<T> type, T real, BiFunction<String, Object, Object> changed) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return changed.apply(method.getName(), method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** The client does not wait for the statement, so that the connection is of no use afterwards. */
    @ParameterizedTest
    @EnumSource
    void whatIsBrokenOffIsReplaced(Pool kind) throws Exception {
        inPool(kind, SIZE, pool -> {
            List<String> before = settingsOfAll(pool);
            try (Connection locker = DriverManager.getConnection(server.url());
                    Statement statement = locker.createStatement()) {
                Belay belay = Belay.connect(Jdbc.in(pool), BelayOptions.defaults());
                belay.lock(name).acquire().release();
                locker.setAutoCommit(false);
                statement.execute("SELECT version FROM belay_lock FOR UPDATE");
                CompletableFuture<Lease> hanging = belay.lock(name).acquireAsync();
                await().until(() -> number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") > 0);
                belay.close();
                assertThat(hanging).isCompletedExceptionally();
                assertThat(settingsOfAll(pool)).isEqualTo(before);
                locker.rollback();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HIKARI")
    void tooSmallAPoolIsToldInOneLine(Pool kind) throws Exception {
        inPool(kind, 1, pool -> {
            // On a busy machine even the first one may take longer.
            await().untilAsserted(() -> assertThatThrownBy(
                            () -> Belay.connect(Jdbc.in(pool).withTimeout(BRIEF), BelayOptions.defaults()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("the pool had 1 of the 3 connections that Belay keeps")
                    .hasMessageContaining("make the pool larger by 3")
                    .hasMessageNotContaining("\n"));
            ofAll(pool, 1, PoolsTest::settings);
        });
    }

    /** Belay's own are beside it. */
    @ParameterizedTest
    @EnumSource(names = "HIKARI")
    void aPoolWhoseSettingsAreKnownKeepsAllOfItsConnections(Pool kind) throws Exception {
        inPool(kind, 1, pool -> {
            try (Belay belay = Belay.connect(Jdbc.in(pool), BelayOptions.defaults());
                    Lease held = belay.lock(name).acquire()) {
                assertThat(ofAll(pool, 1, PoolsTest::settings)).hasSize(1);
                assertThat(held.isHeld()).isTrue();
            }
        });
    }

    /** A pool that leaves commits to its users would undo what it has run first, and the locks be in another table. */
    @ParameterizedTest
    @EnumSource(names = {"HIKARI", "WRAPPED_HIKARI", "DRUID"})
    void whatAPoolRunsFirstStays(Pool kind) throws Exception {
        run("CREATE SCHEMA IF NOT EXISTS app");
        BelayAdmin.prepare(server.url() + "&belay-table=app.belay_lock");
        inPool(kind, SIZE, pool -> {
            if (pool.isWrapperFor(HikariDataSource.class)) {
                pool.unwrap(HikariDataSource.class).setConnectionInitSql("SET search_path TO app");
            } else {
                DruidDataSource druid = (DruidDataSource) pool;
                druid.setConnectionInitSqls(List.of("SET search_path TO app"));
                druid.setDefaultReadOnly(false); // else it undoes nothing
            }
            try (Belay belay = Belay.connect(Jdbc.in(pool), BelayOptions.defaults())) {
                belay.lock(name).acquire().release();
            }
            assertThat(number("SELECT count(*) FROM app.belay_lock WHERE encode(name, 'escape') LIKE '%" + name + "%'"))
                    .isEqualTo(1);
            assertThat(ofAll(pool, SIZE, Connection::getSchema)).containsOnly("app");
        });
    }

    private interface Try {
        void with(DataSource pool) throws Exception;
    }

    private static void inPool(Pool kind, int size, Try body) throws Exception {
        // Without a transaction the driver otherwise passes over what is read-only.
        DataSource pool = kind.open(server.url() + "&readOnlyMode=always", size);
        try {
            body.with(pool);
        } finally {
            Pool.close(pool);
        }
    }

    private interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    private static List<String> settingsOfAll(DataSource pool) throws SQLException {
        return ofAll(pool, SIZE, PoolsTest::settings);
    }

    private static List<Integer> processesOfAll(DataSource pool) throws SQLException {
        return ofAll(
                pool, SIZE, connection -> connection.unwrap(PGConnection.class).getBackendPID());
    }

    /** Borrows all connections at the same time, so that each works. */
    private static <T> List<T> ofAll(DataSource pool, int size, Question<T> question) throws SQLException {
        List<Connection> all = new ArrayList<>();
        List<T> answers = new ArrayList<>();
        try {
            for (int i = 0; i < size; i++) {
                Connection connection = pool.getConnection();
                all.add(connection);
                answers.add(question.ask(connection));
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        return answers;
    }

    private static String settings(Connection connection) throws SQLException {
        String jdbc = connection.getAutoCommit() + " " + connection.isReadOnly() + " "
                + connection.getTransactionIsolation() + " " + connection.getNetworkTimeout();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) || ' ' || (SELECT count(*) FROM"
                                + " pg_listening_channels()) FROM pg_settings WHERE name IN ('lock_timeout',"
                                + " 'client_connection_check_interval', 'default_transaction_isolation',"
                                + " 'default_transaction_read_only')")) {
            row.next();
            String server = row.getString(1);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return jdbc + " " + server;
        }
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int number(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }
}
