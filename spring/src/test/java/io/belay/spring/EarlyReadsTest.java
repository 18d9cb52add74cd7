package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.spring.Locked.InTransaction;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.EntityManagerFactoryAccessor;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What an EntityManager has read before the lock is served as it was then, and a line says so. */
class EarlyReadsTest {
    private static final String LINE =
            "is @Locked and was called on a thread whose EntityManager had read entities already ("
                    + Ledger.Piece.class.getName() + ")";

    private final AnnotationConfigApplicationContext application = ShopApplication.Kind.JPA.start();
    private final EntityManagerFactory factory = application.getBean(EntityManagerFactory.class);
    private final EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
    /** On connections of their own, also inside of a transaction. */
    private final JdbcTemplate others = new JdbcTemplate(
            new DriverManagerDataSource(((DriverManagerDataSource) application.getBean(DataSource.class)).getUrl()));

    private final TransactionTemplate transactions =
            new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
    private final Reads reads = bean();

    EarlyReadsTest() {
        others.update("INSERT INTO sold VALUES (1)");
    }

    private Reads bean() {
        Reads made = application.getAutowireCapableBeanFactory().createBean(Reads.class);
        made.from(entities);
        return made;
    }

    @AfterEach
    void close() {
        application.close();
    }

    /** Looks whether a piece is there. */
    public static class Reads {
        private EntityManager entities;

        public void from(EntityManager its) {
            entities = its;
        }

        private boolean look() {
            return entities.find(Ledger.Piece.class, 1L) != null;
        }

        @Locked("piece")
        @Transactional
        public boolean joining() {
            return look();
        }

        @Locked("piece")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public boolean anew() {
            return look();
        }

        @Locked(value = "piece", inTransaction = InTransaction.HOLD_UNTIL_COMPLETION)
        @Transactional
        public boolean holding() {
            return look();
        }
    }

    /** Makes EntityManagers as Spring's OpenEntityManagerInViewInterceptor does. */
    private static final class View extends EntityManagerFactoryAccessor {
        EntityManager open(EntityManagerFactory factory) {
            setEntityManagerFactory(factory);
            return createEntityManager();
        }
    }

    /** Runs what a web request does, with Spring Boot's spring.jpa.open-in-view. */
    private void inView(Runnable body) {
        try (EntityManager view = new View().open(factory)) {
            TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(view));
            try {
                body.run();
            } finally {
                TransactionSynchronizationManager.unbindResource(factory);
            }
        }
    }

    private void readAndHaveItTaken() {
        assertThat(entities.find(Ledger.Piece.class, 1L)).isNotNull();
        others.update("DELETE FROM sold");
    }

    @Test
    void aLineTellsOnceOfAViewThatReadBefore() {
        assertThat(Lines.of(() -> inView(() -> {
                    readAndHaveItTaken();
                    assertThat(reads.joining()).isTrue(); // though it is gone
                    assertThat(reads.joining()).isTrue();
                })))
                .containsOnlyOnce("Reads.joining " + LINE)
                .contains("spring.jpa.open-in-view=false");
    }

    /** Nothing is set aside where no transaction goes on. */
    @Test
    void aTransactionOfItsOwnHasTheEntityManagerOfTheView() {
        assertThat(Lines.of(() -> inView(() -> {
                    readAndHaveItTaken();
                    assertThat(reads.anew()).isTrue();
                })))
                .containsOnlyOnce("Reads.anew " + LINE);
    }

    @Test
    void aLineTellsOfATransactionThatReadBefore() {
        assertThat(Lines.of(() -> transactions.executeWithoutResult(status -> {
                    readAndHaveItTaken();
                    assertThat(reads.holding()).isTrue();
                })))
                .containsOnlyOnce("Reads.holding " + LINE);
    }

    @Test
    void aTransactionThatIsSetAsideServesNothing() {
        assertThat(Lines.of(() -> transactions.executeWithoutResult(status -> {
                    readAndHaveItTaken();
                    assertThat(reads.anew()).isFalse();
                })))
                .doesNotContain("EntityManager");
    }

    @Test
    void whatIsReadUnderTheLockAloneIsFresh() {
        assertThat(Lines.of(() -> inView(() -> {
                    assertThat(reads.joining()).isTrue();
                    entities.clear();
                    others.update("DELETE FROM sold");
                    assertThat(reads.joining()).isFalse();
                })))
                .doesNotContain("EntityManager");
    }

    /** A line of the log is not worth a call. */
    @Test
    void anEntityManagerThatIsClosedHasReadNothing() {
        EntityManager closed = factory.createEntityManager();
        closed.close();
        TransactionSynchronizationManager.bindResource("closed", new EntityManagerHolder(closed));
        try {
            assertThat(Lines.of(() -> assertThat(reads.joining()).isTrue())).doesNotContain("EntityManager");
        } finally {
            TransactionSynchronizationManager.unbindResource("closed");
        }
    }
}
