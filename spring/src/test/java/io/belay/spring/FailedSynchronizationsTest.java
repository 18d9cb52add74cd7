package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.LeaseLostException;
import io.belay.servers.PostgresServer;
import io.belay.spring.ShopApplication.Kind;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What fails before the commit by an exception after which Spring takes that for tried, or for rolled back, and does neither. */
class FailedSynchronizationsTest {
    private static void failBeforeCommit(Ledger ledger, Runnable first, TransactionException failure) {
        ledger.writeNow();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                first.run();
                throw failure;
            }
        });
    }

    /** Looks whether the table is empty, and nobody else has a connection: none was kept from going back to its pool. */
    private static void assertNothingIsLeft(AnnotationConfigApplicationContext application) {
        JdbcTemplate jdbc = new JdbcTemplate(application.getBean(DataSource.class));
        assertThat(jdbc.queryForObject("SELECT count(*) FROM sold", Integer.class))
                .isZero();
        assertThat(jdbc.queryForObject("SELECT count(*) FROM INFORMATION_SCHEMA.SESSIONS", Integer.class))
                .isOne();
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsCommittedWithoutALookAtTheLock(Kind kind) {
        try (AnnotationConfigApplicationContext application = kind.start()) {
            Shop shop = application.getBean(Shop.class);
            Sales sales = application.getBean(Sales.class);
            Ledger ledger = application.getBean(Ledger.class);
            Belay belay = application.getBean(Belay.class);
            JdbcTemplate jdbc = new JdbcTemplate(application.getBean(DataSource.class));
            List<TransactionException> failures = List.of(
                    new CannotCreateTransactionException("as by REQUIRES_NEW, and no connection is left"),
                    new UnexpectedRollbackException("as by a transaction in between"));
            for (TransactionException failure : failures) {
                assertThatThrownBy(() -> shop.work(() -> {
                            sales.required(() -> failBeforeCommit(ledger, () -> Shop.lose(belay, "shop"), failure));
                        }))
                        .isSameAs(failure);
                assertNothingIsLeft(application);
            }
            // And leaves nothing behind that the next transaction of the thread is taken for.
            shop.setPoint(() -> Shop.lose(belay, "shop"));
            assertThatThrownBy(shop::facade).isInstanceOf(LeaseLostException.class);
            shop.setPoint(() -> {});
            shop.facade();
            assertThat(jdbc.queryForObject("SELECT count(*) FROM sold", Integer.class))
                    .isOne();
        }
    }

    @Test
    void noConnectionIsLeftByHibernatesOwnManager() {
        try (AnnotationConfigApplicationContext application = Kind.JPA.start()) {
            TransactionTemplate transactions = new TransactionTemplate(ShopApplication.hibernate(application));
            Ledger ledger = application.getBean(Ledger.class);
            TransactionException failure = new CannotCreateTransactionException("no connection is left");
            assertThatThrownBy(() -> application
                            .getBean(Shop.class)
                            .work(() -> transactions.executeWithoutResult(
                                    status -> failBeforeCommit(ledger, () -> {}, failure))))
                    .isSameAs(failure);
            assertNothingIsLeft(application);
        }
    }

    /** PostgreSQL's driver refuses a rollback under auto-commit, to which Hibernate has returned after its own. */
    @Test
    void whatSpringHasRolledBackIsNotRolledBackAgain() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start();
                AnnotationConfigApplicationContext application = Kind.JPA.start(server.url())) {
            Shop shop = application.getBean(Shop.class);
            shop.setPoint(() -> Shop.lose(application.getBean(Belay.class), "shop"));
            assertThat(Lines.of(() -> assertThatThrownBy(shop::alone).isInstanceOf(LeaseLostException.class)))
                    .doesNotContain("threw exception");
        }
    }
}
