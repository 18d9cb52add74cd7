package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.servers.MariaDbServer;
import io.belay.servers.PostgresServer;
import io.belay.spring.ShopApplication.Kind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The fences of transactions inside of others: of another database, or beside one that has lost its row. */
@Tag("long")
@Tag("transactions")
class NestedFencesTest {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static PostgresServer server;

    /** Sells by another database, in a transaction that is not its caller's. */
    public static class Elsewhere {
        private final Sales sales;

        Elsewhere(Sales sales) {
            this.sales = sales;
        }

        @Locked("shop")
        @Transactional(transactionManager = "second", propagation = Propagation.REQUIRES_NEW)
        public void sell() {
            sales.second(() -> {});
        }
    }

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.isInstalled() ? PostgresServer.start() : null;
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Starts it on a new database of PostgreSQL, where the row of the fence is there from a sale before. */
    private static AnnotationConfigApplicationContext onPostgres(Kind kind) throws SQLException {
        assumeTrue(server != null, "there is no program postgres");
        String database = "shop" + DATABASES.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
        }
        return afterASale(kind, server.url().replaceFirst("/postgres\\b", "/" + database));
    }

    private static AnnotationConfigApplicationContext afterASale(Kind kind, String database) {
        AnnotationConfigApplicationContext application = kind.start(database);
        application.getBean(Shop.class).alone();
        return application;
    }

    private static TransactionTemplate transaction(AnnotationConfigApplicationContext application, int propagation) {
        TransactionTemplate made = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        made.setPropagationBehavior(propagation);
        return made;
    }

    private static TransactionTemplate apart(AnnotationConfigApplicationContext application) {
        return transaction(application, TransactionTemplate.PROPAGATION_REQUIRES_NEW);
    }

    /** Returns whether a transaction has the row of the fence. */
    private static boolean isRaised(DataSource source) {
        try (Connection other = source.getConnection();
                Statement statement = other.createStatement()) {
            statement.executeQuery("SELECT token FROM belay_fence FOR UPDATE NOWAIT");
            return false;
        } catch (SQLException e) {
            assertThat(e.getSQLState() + e.getErrorCode()).matches("55P030|HY0001205");
            return true;
        }
    }

    private static int sold(DataSource source) {
        return new JdbcTemplate(source).queryForObject("SELECT count(*) FROM sold", Integer.class);
    }

    /** Also where its manager has no synchronizations, as those of message brokers. */
    @ParameterizedTest
    @CsvSource({"JDBC, false", "JDBC, true", "JPA, false"})
    void aTransactionOfAnotherDatabaseRaisesNothingInAnOuterOneThatReadsOnly(Kind kind, boolean silent)
            throws Exception {
        try (AnnotationConfigApplicationContext application = onPostgres(kind)) {
            if (silent) {
                application
                        .getBean("second", JdbcTransactionManager.class)
                        .setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
            }
            TransactionTemplate reading = transaction(application, TransactionTemplate.PROPAGATION_REQUIRED);
            reading.setReadOnly(true);
            Sales sales = application.getBean(Sales.class);
            application.getBean(Shop.class).work(() -> reading.executeWithoutResult(status -> sales.second(() -> {})));
            assertThat(sold(application.getBean("secondSource", DataSource.class)))
                    .isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionOfAnotherDatabaseRaisesNothingInAnOuterOneThatIsNotUnderTheLock(Kind kind) throws Exception {
        try (AnnotationConfigApplicationContext application = onPostgres(kind)) {
            application.registerBean(Elsewhere.class, () -> new Elsewhere(application.getBean(Sales.class)));
            Elsewhere elsewhere = application.getBean(Elsewhere.class);
            transaction(application, TransactionTemplate.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
                elsewhere.sell();
                assertThat(isRaised(application.getBean(DataSource.class))).isFalse();
            });
        }
    }

    /** Sells in a transaction inside of one to which something happens, and looks whether the fence is raised meanwhile. */
    private static Throwable sellApart(AnnotationConfigApplicationContext application, Consumer<Connection> happens) {
        DataSource source = application.getBean(DataSource.class);
        Throwable thrown = catchThrowable(() -> application
                .getBean(Shop.class)
                .work(() -> transaction(application, TransactionTemplate.PROPAGATION_REQUIRED)
                        .executeWithoutResult(status -> {
                            Connection connection = DataSourceUtils.getConnection(source);
                            happens.accept(connection);
                            DataSourceUtils.releaseConnection(connection, source);
                            apart(application).executeWithoutResult(inner -> {
                                application.getBean(Ledger.class).write();
                                assertThat(isRaised(source)).isTrue();
                            });
                            status.setRollbackOnly();
                        })));
        if (thrown instanceof AssertionError wrong) {
            throw wrong;
        }
        assertThat(sold(source)).isEqualTo(2);
        return thrown;
    }

    private static void failAStatement(Connection connection) {
        assertThatThrownBy(() -> connection.createStatement().execute("SELECT 1 / 0"))
                .isInstanceOf(SQLException.class);
    }

    /** PostgreSQL gives all rows back by then, though the transaction goes on until it is rolled back. */
    @ParameterizedTest
    @EnumSource
    void besideOneWhoseStatementHasFailedTheFenceIsRaisedOnceMore(Kind kind) throws Exception {
        try (AnnotationConfigApplicationContext application = onPostgres(kind)) {
            assertThat(sellApart(application, NestedFencesTest::failAStatement)).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void besideOneWhoseConnectionIsGoneTheFenceIsRaisedOnceMore(Kind kind) throws Exception {
        try (AnnotationConfigApplicationContext application = onPostgres(kind)) {
            DataSource source = application.getBean(DataSource.class);
            sellApart(application, connection -> {
                try {
                    int backend = connection.unwrap(PGConnection.class).getBackendPID();
                    try (Connection other = source.getConnection();
                            Statement statement = other.createStatement()) {
                        statement.execute("SELECT pg_terminate_backend(" + backend + ", 60000)");
                    }
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    /** As the victim of a deadlock is on MySQL and MariaDB, whose connection is in another transaction from then on. */
    @Test
    void besideOneThatTheDatabaseHasRolledBackTheFenceIsRaisedOnceMore() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer database = MariaDbServer.start();
                AnnotationConfigApplicationContext application = afterASale(Kind.JDBC, database.url())) {
            assertThat(sellApart(application, connection -> {
                        try {
                            connection.createStatement().execute("ROLLBACK");
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    }))
                    .isNull();
        }
    }

    /** MariaDB and MySQL keep rows locked that were locked after a savepoint. */
    @Test
    void whatIsUndoneToASavepointAndStaysLockedKeepsNoInnerOneWaiting() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "there is no program mariadbd");
        try (MariaDbServer database = MariaDbServer.start();
                AnnotationConfigApplicationContext application = afterASale(Kind.JDBC, database.url())) {
            assertNoWaitBehindASavepoint(application);
        }
    }

    /** PostgreSQL gives them back. */
    @Test
    void whatIsUndoneToASavepointKeepsNoInnerOneWaiting() throws Exception {
        try (AnnotationConfigApplicationContext application = onPostgres(Kind.JDBC)) {
            assertNoWaitBehindASavepoint(application);
        }
    }

    private static void assertNoWaitBehindASavepoint(AnnotationConfigApplicationContext application) {
        DataSource source = application.getBean(DataSource.class);
        int before = sold(source);
        transaction(application, TransactionTemplate.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
            application
                    .getBean(Ledger.class)
                    .write(); // else the whole transaction is undone, which gives back all rows
            transaction(application, TransactionTemplate.PROPAGATION_NESTED).executeWithoutResult(nested -> {
                application.getBean(Shop.class).held();
                nested.setRollbackOnly();
            });
            apart(application).executeWithoutResult(inner -> {
                application.getBean(Ledger.class).write();
                assertThat(isRaised(source)).isTrue();
            });
        });
        assertThat(sold(source)).isEqualTo(before + 2);
    }

    /** The row was locked before the savepoint, and is until the outer transaction ends, which takes no statement now. */
    @Test
    void besideOneThatIsToGoBackToASavepointNobodyWaits() throws Exception {
        try (AnnotationConfigApplicationContext application = onPostgres(Kind.JDBC)) {
            TransactionTemplate nested = transaction(application, TransactionTemplate.PROPAGATION_NESTED);
            DataSource source = application.getBean(DataSource.class);
            application
                    .getBean(Shop.class)
                    .work(() -> transaction(application, TransactionTemplate.PROPAGATION_REQUIRED)
                            .executeWithoutResult(status -> nested.executeWithoutResult(part -> {
                                failAStatement(DataSourceUtils.getConnection(source));
                                apart(application).executeWithoutResult(inner -> {
                                    application.getBean(Ledger.class).write();
                                    assertThat(isRaised(source)).isTrue();
                                });
                                part.setRollbackOnly();
                            })));
            assertThat(sold(source)).isEqualTo(2);
        }
    }
}
