package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.LeaseLostException;
import io.belay.jdbc.SqlFence;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SmartTransactionObject;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transaction managers of other kinds than JDBC's. */
class TransactionManagersTest {
    private final List<String> events = new ArrayList<>();
    /** What is done in the transaction. */
    private Runnable inside = () -> {};

    /** Keeps back what is written until it commits, as JPA does. */
    private final class Buffering extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1;

        @Override
        protected Object doGetTransaction() {
            return new SmartTransactionObject() {
                @Override
                public boolean isRollbackOnly() {
                    return false;
                }

                @Override
                public void flush() {
                    events.add("flushes");
                    Shop.lose(belay, "work");
                }
            };
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            events.add("commits");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            events.add("rolls back");
        }
    }

    /** Tells no listener. */
    private final class Deaf implements PlatformTransactionManager {
        private final Buffering buffering = new Buffering();

        @Override
        public TransactionStatus getTransaction(TransactionDefinition definition) {
            return buffering.getTransaction(definition);
        }

        @Override
        public void commit(TransactionStatus status) {
            buffering.commit(status);
        }

        @Override
        public void rollback(TransactionStatus status) {
            buffering.rollback(status);
        }
    }

    /** Works under a lock. */
    public static class Work {
        @Locked("work")
        public void run(Runnable body) {
            body.run();
        }
    }

    private Belay belay = Belay.connect("memory:" + UUID.randomUUID());

    /** Has the manager made before any post processor is there. */
    public static class Early implements BeanPostProcessor {
        Early(PlatformTransactionManager manager) {
            assertThat(manager).isNotNull();
        }
    }

    private void with(PlatformTransactionManager manager, boolean readOnly) {
        with(manager, readOnly, application -> {});
    }

    private void with(
            PlatformTransactionManager manager, boolean readOnly, Consumer<AnnotationConfigApplicationContext> more) {
        try (AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext()) {
            application.registerBean(Belay.class, () -> belay);
            application.registerBean(PlatformTransactionManager.class, () -> manager);
            application.register(LockedConfiguration.class, Work.class);
            more.accept(application);
            application.refresh();
            TransactionTemplate transactions =
                    new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            transactions.setReadOnly(readOnly);
            application.getBean(Work.class).run(() -> transactions.executeWithoutResult(status -> inside.run()));
        }
    }

    @Test
    void whatWasKeptBackIsWrittenBeforeTheLastLook() {
        assertThatThrownBy(() -> with(new Buffering(), false)).isInstanceOf(LeaseLostException.class);
        assertThat(events).containsExactly("flushes", "rolls back");
    }

    @Test
    void oneThatIsMadeBeforeItsPostProcessorIsGuardedToo() {
        assertThatThrownBy(() -> with(new Buffering(), false, application -> application.register(Early.class)))
                .isInstanceOf(LeaseLostException.class);
        assertThat(events).containsExactly("flushes", "rolls back");
    }

    private static DataSource database() {
        String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        BelayAdmin.prepare(database);
        return new DriverManagerDataSource(database);
    }

    private static Consumer<AnnotationConfigApplicationContext> fence(DataSource source) {
        return application -> application.registerBean(
                TransactionFence.class, () -> new JdbcTransactionFence(source, SqlFence.standard()));
    }

    /** Spring knows the connection of a transaction by what is behind the proxy. */
    @Test
    void aDataSourceThatTakesPartInTransactionsIsFenced() {
        DataSource source = new TransactionAwareDataSourceProxy(database());
        with(new JdbcTransactionManager(source), false, fence(source));
        assertThat(new JdbcTemplate(source).queryForObject("SELECT count(*) FROM belay_fence", Integer.class))
                .isOne();
    }

    private static Integer fenced(DataSource source) {
        return new JdbcTemplate(source).queryForObject("SELECT count(*) FROM belay_fence", Integer.class);
    }

    /** Whichever of them the manager has, and whichever the fence. */
    @Test
    void aProxyOfADataSourceIsTheSameOne() {
        DataSource source = database();
        DataSource proxy = new LazyConnectionDataSourceProxy(source);
        assertThat(Lines.of(() -> with(new JdbcTransactionManager(source), false, fence(proxy))))
                .doesNotContain("is fenced");
        assertThat(fenced(source)).isOne();
        new JdbcTemplate(source).execute("DELETE FROM belay_fence");
        belay = Belay.connect("memory:" + UUID.randomUUID());
        assertThat(Lines.of(() -> with(new JdbcTransactionManager(proxy), false, fence(source))))
                .doesNotContain("is fenced");
        assertThat(fenced(source)).isOne();
    }

    /** Two of them may have two users, or set two schemas. */
    @Test
    void anotherProxyOfADataSourceIsAnotherOne() {
        DataSource source = database();
        DataSource proxy = new UserCredentialsDataSourceAdapter();
        DataSource another = new UserCredentialsDataSourceAdapter();
        Stream.of(proxy, another)
                .map(UserCredentialsDataSourceAdapter.class::cast)
                .forEach(its -> its.setTargetDataSource(source));
        assertThat(Lines.of(() -> with(new JdbcTransactionManager(another), false, fence(proxy))))
                .containsOnlyOnce("is none of those");
        assertThat(fenced(source)).isZero();
    }

    @Test
    void aFenceOfTwoConditionsIsRaisedWhereBothHold() {
        DataSource source = database();
        JdbcTransactionFence fence = new JdbcTransactionFence(source, SqlFence.standard());
        Consumer<AnnotationConfigApplicationContext> of = application -> application.registerBean(
                TransactionFence.class, () -> fence.where(one -> false).where(other -> true));
        with(new JdbcTransactionManager(source), false, of);
        assertThat(fenced(source)).isZero();
    }

    /** Behind a router may be the database of the fence, or another one. */
    @Test
    void aLineSaysThatNothingIsFencedOfAnotherDataSource() {
        DataSource source = database();
        AbstractRoutingDataSource router = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "one";
            }
        };
        router.setTargetDataSources(Map.of("one", source));
        router.afterPropertiesSet();
        assertThat(Lines.of(() -> with(new JdbcTransactionManager(router), false, fence(source))))
                .containsOnlyOnce(
                        "No transaction is fenced by a JdbcTransactionFence whose DataSource is none of those");
        assertThat(fenced(source)).isZero();
        belay = Belay.connect("memory:" + UUID.randomUUID());
        assertThat(Lines.of(() -> with(new JdbcTransactionManager(router), false, fence(router))))
                .doesNotContain("is fenced");
        assertThat(fenced(source)).isOne();
    }

    /** Where the persistence unit itself says how to connect, the manager has no source. */
    @Test
    void aLineSaysThatNothingIsFencedOfAnEntityManagerFactoryWithoutADataSource() {
        String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        BelayAdmin.prepare(database);
        DataSource source = new DriverManagerDataSource(database);
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.setManagedTypes(PersistenceManagedTypes.of(Ledger.Piece.class.getName()));
        factory.setJpaPropertyMap(Map.of("jakarta.persistence.jdbc.url", database));
        factory.afterPropertiesSet();
        try {
            assertThat(Lines.of(() -> with(new JpaTransactionManager(factory.getObject()), false, fence(source))))
                    .containsOnlyOnce("No transaction is fenced by a JdbcTransactionFence");
        } finally {
            factory.destroy();
        }
        assertThat(fenced(source)).isZero();
    }

    /** As a server of JTA ends one that takes too long: the thread that began it goes on to others. */
    @Test
    void aHoldThatAnotherThreadHasEndedTiesNoLaterTransaction() {
        try (AnnotationConfigApplicationContext application = ShopApplication.Kind.JDBC.start()) {
            TransactionTemplate transactions =
                    new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            Ledger ledger = application.getBean(Ledger.class);
            transactions.executeWithoutResult(status -> {
                TransactionSynchronizationManager.clearSynchronization();
                TransactionSynchronizationManager.initSynchronization();
                application.getBean(Shop.class).held();
                List<TransactionSynchronization> theirs = TransactionSynchronizationManager.getSynchronizations();
                TransactionSynchronizationManager.clearSynchronization();
                TransactionSynchronizationManager.initSynchronization();
                CompletableFuture.runAsync(() -> theirs.forEach(
                                its -> its.afterCompletion(TransactionSynchronization.STATUS_ROLLED_BACK)))
                        .join();
                status.setRollbackOnly();
            });
            transactions.executeWithoutResult(status -> ledger.write());
            assertThat(new JdbcTemplate(application.getBean(DataSource.class))
                            .queryForObject("SELECT count(*) FROM sold", Integer.class))
                    .isOne();
        }
    }

    /** Of several databases one has the fence, which is no mistake. */
    @ParameterizedTest
    @EnumSource
    void noLineSaysSoWhereTheFenceHasAManager(ShopApplication.Kind kind) {
        assertThat(Lines.of(() -> kind.start().close())).doesNotContain("is fenced");
    }

    @Test
    void aLineNamesTheManagerOfAParentContextThatIsNotGuardedThere() {
        JdbcTransactionManager manager = new JdbcTransactionManager(database());
        assertThat(Lines.of(() -> inChild(manager)))
                .containsOnlyOnce("'theirs' (" + JdbcTransactionManager.class.getName() + ") only transactions of")
                .contains("it is of a parent context, which has no @EnableLocked");
        assertThat(Lines.of(() -> inChild(manager, LockedConfiguration.class))).doesNotContain("parent context");
    }

    private void inChild(PlatformTransactionManager manager, Class<?>... inParent) {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext();
                AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            parent.registerBean("theirs", PlatformTransactionManager.class, () -> manager);
            parent.registerBean(Belay.class, () -> Belay.connect("memory:" + UUID.randomUUID()));
            Stream.of(inParent).forEach(parent::register);
            parent.refresh();
            child.setParent(parent);
            child.register(LockedConfiguration.class, Work.class);
            child.refresh();
        }
    }

    /** It has begun and ended a transaction. */
    private static UserTransaction jta() {
        AtomicInteger status = new AtomicInteger(Status.STATUS_NO_TRANSACTION);
        return (UserTransaction) Proxy.newProxyInstance(
                UserTransaction.class.getClassLoader(),
                new Class<?>[] {UserTransaction.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getStatus" -> status.get();
                    case "begin" -> {
                        status.set(Status.STATUS_ACTIVE);
                        yield null;
                    }
                    case "commit", "rollback" -> {
                        status.set(Status.STATUS_NO_TRANSACTION);
                        yield null;
                    }
                    default -> null;
                });
    }

    /** They have no connection when they begin. */
    @Test
    void aLineSaysThatTransactionsOfJtaAreNotFenced() {
        assertThat(Lines.of(() -> with(new JtaTransactionManager(jta()), false, fence(database()))))
                .containsOnlyOnce("are looked at before they commit, and not fenced")
                .contains("raise a SqlFence by hand");
    }

    @Test
    void noLineSaysSoWhereNoneAreFenced() {
        assertThat(Lines.of(() -> with(new JtaTransactionManager(jta()), false)))
                .doesNotContain("not fenced");
    }

    /** As an EntityManager does, which is closed before the last look: then it cannot be flushed. */
    private final class Taking implements TransactionSynchronization {
        private boolean closed;

        @Override
        public void flush() {
            if (closed) {
                throw new IllegalStateException("it is closed");
            }
        }

        @Override
        public void beforeCompletion() {
            closed = true;
        }

        @Override
        public void afterCompletion(int status) {
            events.add(status == STATUS_COMMITTED ? "commits" : "rolls back");
        }
    }

    @Test
    void whatTakesPartBySynchronizationIsNotFlushedOnceItIsClosed() {
        inside = () -> TransactionSynchronizationManager.registerSynchronization(new Taking());
        with(new JdbcTransactionManager(database()), false);
        assertThat(events).containsExactly("commits");
    }

    @Test
    void norIsWhatTakesPartInTransactionsOfJta() {
        inside = () -> TransactionSynchronizationManager.registerSynchronization(new Taking());
        with(new JtaTransactionManager(jta()), false);
        assertThat(events).containsExactly("commits");
    }

    @Test
    void whatReadsOnlyWritesNothing() {
        with(new Buffering(), true);
        assertThat(events).containsExactly("commits");
    }

    @Test
    void oneThatTellsNoListenerIsNotLookedAt() {
        with(new Deaf(), false);
        assertThat(events).containsExactly("commits");
    }
}
