package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.Lease;
import io.belay.fence.StaleTokenException;
import io.belay.jdbc.SqlFence;
import io.belay.servers.PostgresServer;
import io.belay.spring.ShopApplication.Kind;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** How fences are raised by Spring's transactions: once for each lock, and not waited for without a bound. */
@Tag("long")
@Tag("transactions")
class TransactionFenceTest {
    private static int sold(AnnotationConfigApplicationContext application) {
        return new JdbcTemplate(application.getBean(DataSource.class))
                .queryForObject("SELECT count(*) FROM sold", Integer.class);
    }

    /** The outer transaction has the row of the fence for as long as it is open: the inner one needs no more. */
    @ParameterizedTest
    @EnumSource
    void theSameLockInANestedTransactionWaitsForNobody(Kind kind) {
        try (AnnotationConfigApplicationContext application = kind.start()) {
            Shop shop = application.getBean(Shop.class);
            shop.again(shop);
            shop.again(shop);
            assertThat(sold(application)).isEqualTo(4);
        }
    }

    /** Whoever leads raises the same row in each of them, on whatever thread. */
    @Test
    void transactionsUnderOneLeadComeOneAfterTheOther() {
        try (AnnotationConfigApplicationContext application = Kind.JDBC.start()) {
            Shop shop = application.getBean(Shop.class);
            Leaderships leaderships = application.getBean(Leaderships.class);
            await().until(() ->
                    leaderships.lease(new Leaderships.Key("", "shops")).isPresent());
            TransactionTemplate beside = transaction(application, TransactionTemplate.PROPAGATION_REQUIRED);
            beside.setTimeout(1);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            shop.setPoint(() -> {
                shop.setPoint(() -> {});
                Runnable sale = () -> beside.executeWithoutResult(status -> shop.leadingInside());
                thrown.set(CompletableFuture.supplyAsync(() -> catchThrowable(sale::run))
                        .join());
            });
            shop.leading();
            assertThat(thrown.get()).isInstanceOf(QueryTimeoutException.class).hasMessageContaining("'shops'");
            beside.executeWithoutResult(status -> shop.leadingInside());
            assertThat(sold(application)).isEqualTo(2);
        }
    }

    /** The row is free again by then, and a later holder does not wait for what is begun after that. */
    @ParameterizedTest
    @EnumSource
    void whatIsBegunAfterTheCommitRaisesTheFenceAnew(Kind kind) {
        try (AnnotationConfigApplicationContext application = kind.start()) {
            Ledger ledger = application.getBean(Ledger.class);
            TransactionTemplate apart = transaction(application, TransactionTemplate.PROPAGATION_REQUIRES_NEW);
            List<Throwable> refused = new ArrayList<>();
            Runnable sale =
                    () -> refused.add(catchThrowable(() -> apart.executeWithoutResult(status -> ledger.write())));
            Runnable sales =
                    () -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        /** As a listener of the end of transactions has that says so. */
                        @Override
                        public int getOrder() {
                            return 0;
                        }

                        @Override
                        public void afterCommit() {
                            announceALaterHolder(application.getBean(DataSource.class));
                            sale.run();
                        }

                        @Override
                        public void afterCompletion(int status) {
                            sale.run();
                        }
                    });
            application
                    .getBean(Shop.class)
                    .work(() -> transaction(application, TransactionTemplate.PROPAGATION_REQUIRED)
                            .executeWithoutResult(status -> sales.run()));
            assertThat(refused)
                    .hasSize(2)
                    .allSatisfy(thrown -> assertThat(thrown).isInstanceOf(StaleTokenException.class));
            assertThat(sold(application)).isZero();
        }
    }

    /** With the savepoint the database takes back the fence that was raised after it; the lock is held to the end. */
    @Test
    void aFenceThatWasUndoneToASavepointIsRaisedAgainBeforeTheCommit() {
        try (AnnotationConfigApplicationContext application = Kind.JDBC.start()) {
            Shop shop = application.getBean(Shop.class);
            DataSource source = application.getBean(DataSource.class);
            TransactionTemplate outer = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            TransactionTemplate nested = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            nested.setPropagationBehavior(TransactionTemplate.PROPAGATION_NESTED);
            AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
            Runnable sale = () -> outer.executeWithoutResult(status -> {
                nested.executeWithoutResult(inner -> {
                    shop.held();
                    inner.setRollbackOnly();
                });
                application.getBean(Ledger.class).write();
                meanwhile.get().run();
            });
            sale.run();
            assertThat(sold(application)).isOne();
            meanwhile.set(() -> announceALaterHolder(source));
            assertThatThrownBy(sale::run).isInstanceOf(StaleTokenException.class);
            assertThat(sold(application)).isOne();
        }
    }

    private static TransactionTemplate transaction(AnnotationConfigApplicationContext application, int propagation) {
        TransactionTemplate made = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        made.setPropagationBehavior(propagation);
        return made;
    }

    /** Sells in a transaction, a nested part of which is rolled back after something was done in it. */
    private static void sellAfterANestedPart(
            AnnotationConfigApplicationContext application, Runnable inNested, Runnable last) {
        transaction(application, TransactionTemplate.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
            transaction(application, TransactionTemplate.PROPAGATION_NESTED).executeWithoutResult(inner -> {
                inNested.run();
                inner.setRollbackOnly();
            });
            application.getBean(Ledger.class).write();
            last.run();
        });
    }

    /** Has the thread's transaction be over its time, in place of one that takes longer than it may. */
    private static void passTheDeadline(DataSource source) {
        ConnectionHolder holder = (ConnectionHolder) TransactionSynchronizationManager.getResource(source);
        holder.setTimeoutInMillis(1);
        await().until(() -> new Date().after(holder.getDeadline()));
    }

    /** Spring rolls nothing back where that is told by a TransactionException, and what was written would stay. */
    @Test
    void aTransactionWhoseTimeIsOverBeforeItsFenceIsRaisedAgainIsRolledBack() {
        try (AnnotationConfigApplicationContext application = Kind.JDBC.start()) {
            DataSource source = application.getBean(DataSource.class);
            Shop shop = application.getBean(Shop.class);
            Throwable thrown =
                    catchThrowable(() -> sellAfterANestedPart(application, shop::held, () -> passTheDeadline(source)));
            assertThat(sold(application)).isZero();
            assertThat(thrown)
                    .isInstanceOf(QueryTimeoutException.class)
                    .hasCauseInstanceOf(TransactionTimedOutException.class);
        }
    }

    @Test
    void aTransactionWhoseTimeIsOverIsCommittedWhereNoFenceIsToBeRaisedAgain() {
        try (AnnotationConfigApplicationContext application = Kind.JDBC.start()) {
            DataSource source = application.getBean(DataSource.class);
            application
                    .getBean(Shop.class)
                    .work(() -> sellAfterANestedPart(application, () -> {}, () -> passTheDeadline(source)));
            assertThat(sold(application)).isOne();
        }
    }

    /** Also what a fence throws that is none of ours. */
    @Test
    void whateverAFenceThrowsBeforeTheCommitRollsBack() {
        try (AnnotationConfigApplicationContext application = Kind.JDBC.start()) {
            AtomicBoolean broken = new AtomicBoolean();
            application.registerBean("another", TransactionFence.class, () -> leases -> {
                if (broken.get()) {
                    throw new TransactionSystemException("no fence");
                }
            });
            Throwable thrown = catchThrowable(() -> application
                    .getBean(Shop.class)
                    .work(() -> sellAfterANestedPart(application, () -> {}, () -> broken.set(true))));
            assertThat(sold(application)).isZero();
            assertThat(thrown)
                    .isInstanceOf(DataAccessException.class)
                    .hasCauseInstanceOf(TransactionSystemException.class)
                    .hasMessageContaining("no fence");
        }
    }

    private static void announceALaterHolder(DataSource source) {
        try (Connection later = source.getConnection()) {
            SqlFence.standard().announce(later, "shop", Long.MAX_VALUE);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What JPA keeps back in a transaction that reads only is not written by the look before the commit. */
    @Test
    void aTransactionOfJpaThatReadsOnlyIsNotFlushed() {
        try (AnnotationConfigApplicationContext application = Kind.JPA.start()) {
            TransactionTemplate reading =
                    new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            reading.setReadOnly(true);
            Ledger ledger = application.getBean(Ledger.class);
            application.getBean(Shop.class).work(() -> reading.executeWithoutResult(status -> ledger.write()));
            assertThat(sold(application)).isZero();
        }
    }

    /** Nor where Hibernate is to write only what is flushed by hand. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTransactionOfHibernateThatIsFlushedByHandIsNotFlushed(boolean byItsOwnManager) {
        try (AnnotationConfigApplicationContext application = Kind.JPA.start()) {
            Ledger ledger = application.getBean(Ledger.class);
            EntityManagerFactory factory = application.getBean(EntityManagerFactory.class);
            TransactionTemplate transactions = new TransactionTemplate(
                    byItsOwnManager
                            ? ShopApplication.hibernate(application)
                            : application.getBean(PlatformTransactionManager.class));
            application
                    .getBean(Shop.class)
                    .work(() -> transactions.executeWithoutResult(status -> {
                        EntityManagerFactoryUtils.getTransactionalEntityManager(factory)
                                .unwrap(Session.class)
                                .setHibernateFlushMode(FlushMode.MANUAL);
                        ledger.write();
                    }));
            assertThat(sold(application)).isZero();
        }
    }

    /** Tells for how many seconds each statement may wait, before it is executed. */
    private static Object telling(Class<?> type, Object target, IntConsumer told) {
        return Proxy.newProxyInstance(
                TransactionFenceTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("setQueryTimeout") && (Integer) arguments[0] > 0) {
                        told.accept((Integer) arguments[0]);
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return result instanceof PreparedStatement
                                ? telling(PreparedStatement.class, result, told)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void severalFencesAreWaitedForNoLongerThanOneMayBe() throws Exception {
        String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        BelayAdmin.prepare(database);
        List<Integer> waits = new ArrayList<>();
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        DataSource source = new DelegatingDataSource(new DriverManagerDataSource(database)) {
            @Override
            public Connection getConnection() throws SQLException {
                return (Connection) telling(Connection.class, super.getConnection(), seconds -> {
                    waits.add(seconds);
                    meanwhile.get().run();
                });
            }
        };
        JdbcTransactionFence fence = new JdbcTransactionFence(source, SqlFence.standard());
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID());
                Lease one = belay.lock("one").acquire();
                Lease two = belay.lock("two").acquire()) {
            meanwhile.set(() -> {
                long begun = System.nanoTime();
                await().until(() -> System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(1));
            });
            transactions.executeWithoutResult(status -> fence.raise(List.of(two, one)));
            assertThat(waits).hasSize(2);
            assertThat(waits.get(1)).isLessThan(waits.get(0));
            waits.clear();
            meanwhile.set(() -> passTheDeadline(source));
            transactions.setTimeout(60);
            assertThatThrownBy(() -> transactions.executeWithoutResult(status -> fence.raise(List.of(two, one))))
                    .isInstanceOf(QueryTimeoutException.class)
                    .hasMessageContaining("was over its time before it raised the fence");
            assertThat(waits).hasSize(1);
        }
    }

    @Test
    void aFenceMayBeWaitedForAsLongAsItTakes() throws Exception {
        String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        BelayAdmin.prepare(database);
        DataSource source = new DriverManagerDataSource(database);
        JdbcTransactionFence fence =
                new JdbcTransactionFence(source, SqlFence.standard(), ChronoUnit.FOREVER.getDuration());
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID());
                Lease lease = belay.lock("x").acquire()) {
            new TransactionTemplate(new JdbcTransactionManager(source))
                    .executeWithoutResult(status -> fence.raise(List.of(lease)));
            assertThat(new JdbcTemplate(source).queryForObject("SELECT token FROM belay_fence", Long.class))
                    .isEqualTo(lease.token());
        }
    }

    @Test
    void aFenceIsWaitedForNoLongerThanTheTransactionMayTakeAndNamesWhoHasIt() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start();
                AnnotationConfigApplicationContext application = Kind.JDBC.start(server.url());
                Connection other = application.getBean(DataSource.class).getConnection()) {
            other.setAutoCommit(false);
            SqlFence.standard().raise(other, "shop", 1); // makes the row, which nobody else sees
            assertGivesUp(application, other);
            other.commit();
            SqlFence.standard().raise(other, "another", 1);
            try (Connection third = application.getBean(DataSource.class).getConnection()) {
                third.setAutoCommit(false);
                SqlFence.standard().raise(third, "shop", 2);
                assertGivesUp(application, third);
                third.rollback();
            }
            assertThatCode(application.getBean(Shop.class)::facade).doesNotThrowAnyException();
            assertThat(sold(application)).isOne();
        }
    }

    /** Also where it is not the first statement, and where the failure is caught: nothing of the transaction is kept. */
    private static void assertGivesUp(AnnotationConfigApplicationContext application, Connection raiser)
            throws SQLException {
        String backend = "(the backend " + raiser.unwrap(PGConnection.class).getBackendPID() + " of ";
        TransactionTemplate brief = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        brief.setTimeout(3);
        Ledger ledger = application.getBean(Ledger.class);
        TransactionFence fence = application.getBean(TransactionFence.class);
        DataSource source = application.getBean(DataSource.class);
        try (Lease lease = application.getBean(Belay.class).lock("shop").acquire()) {
            brief.executeWithoutResult(status -> {
                ledger.write();
                assertThatThrownBy(() -> fence.raise(List.of(lease)))
                        .isInstanceOf(QueryTimeoutException.class)
                        // Less than the half minute for which one without a timeout waits.
                        .hasMessageMatching("(?s).*the fence of 'shop' was not to be had within \\d\\.\\d s.*")
                        .hasMessageContaining(backend)
                        .hasMessageContaining("idle in transaction")
                        .hasMessageNotContaining(", or the backend");
                assertThatThrownBy(() -> DataSourceUtils.getConnection(source)
                                .createStatement()
                                .executeQuery("SELECT 1"))
                        .hasMessageContaining("current transaction is aborted");
            });
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertThat(sold(application)).isZero();
    }
}
