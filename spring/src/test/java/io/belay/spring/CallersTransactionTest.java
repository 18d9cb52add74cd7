package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.spring.Locked.InTransaction;
import io.belay.spring.ShopApplication.Kind;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.transaction.interceptor.TransactionalProxy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods with a lock that are called inside of their caller's transaction, or at its end. */
class CallersTransactionTest {
    private final AnnotationConfigApplicationContext application = Kind.JDBC.start();
    private final Shop shop = application.getBean(Shop.class);
    private final Belay belay = application.getBean(Belay.class);

    @AfterEach
    void close() {
        application.close();
    }

    private TransactionTemplate transactions() {
        return new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
    }

    private boolean isHeld() {
        return belay.admin().holds().stream().anyMatch(hold -> hold.name().equals("shop"));
    }

    /** The moments at which a transaction tells that it has ended. */
    private enum Moment {
        AFTER_COMMIT,
        AFTER_COMPLETION,
        AFTER_ROLLBACK
    }

    /** Calls something at that moment of a transaction, and throws what it throws. */
    private void at(Moment moment, Consumer<Shop> call) {
        AtomicReference<RuntimeException> thrown = new AtomicReference<>();
        AtomicBoolean called = new AtomicBoolean();
        Runnable now = () -> {
            called.set(true);
            try {
                call.accept(shop);
            } catch (RuntimeException e) {
                thrown.set(e);
            }
        };
        transactions().executeWithoutResult(status -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    if (moment == Moment.AFTER_COMMIT) {
                        now.run();
                    }
                }

                @Override
                public void afterCompletion(int ended) {
                    if (moment != Moment.AFTER_COMMIT) {
                        now.run();
                    }
                }
            });
            if (moment == Moment.AFTER_ROLLBACK) {
                status.setRollbackOnly();
            }
        });
        assertThat(called).isTrue();
        if (thrown.get() != null) {
            throw thrown.get();
        }
    }

    @Test
    void atTheEndOfATransactionALockIsTakenAndGivenBack() {
        for (Moment moment : Moment.values()) {
            AtomicBoolean held = new AtomicBoolean();
            at(moment, called -> {
                called.work(() -> held.set(isHeld()));
                assertThat(isHeld()).isFalse();
            });
            assertThat(held).as(moment + "").isTrue();
            at(moment, Shop::apart);
            at(moment, called -> {
                called.held();
                assertThat(isHeld()).isFalse();
            });
        }
    }

    /** It would join what is over, and be committed or not when its lock is given back. */
    @Test
    void aTransactionThatJoinsOneThatHasEndedIsRefused() {
        for (Moment moment : Moment.values()) {
            assertThatThrownBy(() -> at(moment, Shop::alone))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Shop.alone was called when its caller's transaction had been committed")
                    .hasMessageContaining("propagation = REQUIRES_NEW");
            assertThat(isHeld()).isFalse();
        }
    }

    @Test
    void beforeItsEndOnlyATransactionOfItsOwnIsLetIn() {
        transactions().executeWithoutResult(status -> {
            shop.apart();
            assertThat(isHeld()).isFalse();
            assertThatThrownBy(shop::facade)
                    .hasMessageContaining("put @Locked on the method that begins the transaction")
                    .hasMessageContaining("REQUIRES_NEW");
        });
        assertThatThrownBy(() -> transactions()
                        .executeWithoutResult(status -> TransactionSynchronizationManager.registerSynchronization(
                                new TransactionSynchronization() {
                                    @Override
                                    public void beforeCommit(boolean readOnly) {
                                        shop.facade();
                                    }
                                })))
                .hasMessageContaining("was called inside a transaction");
    }

    /** A bean in a scope, which others call by a proxy that finds it. */
    @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    public static class Audit {
        @Locked("audit")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void apart() {}

        @Locked(value = "audit", inTransaction = InTransaction.HOLD_UNTIL_COMPLETION)
        public Lease held() {
            return CurrentLease.get();
        }
    }

    @Test
    void oneOfItsOwnIsLetInAlsoOfABeanInAScope() {
        application.register(Audit.class);
        Audit audit = application.getBean(Audit.class);
        assertThatCode(() -> transactions().executeWithoutResult(status -> audit.apart()))
                .doesNotThrowAnyException();
    }

    /** Its lock is held, but the method is over. */
    @Test
    void whatIsHeldToTheEndOfTheTransactionIsNotTheLeaseOfItsCaller() {
        application.register(Audit.class);
        Audit audit = application.getBean(Audit.class);
        transactions().executeWithoutResult(status -> {
            assertThat(audit.held().name()).isEqualTo("audit");
            assertThatThrownBy(CurrentLease::get).hasMessageContaining("holds 0 locks");
        });
        shop.work(() -> transactions().executeWithoutResult(status -> {
            Lease held = audit.held();
            assertThat(held.name()).isEqualTo("audit");
            assertThat(CurrentLease.get().name()).isEqualTo("shop");
            assertThat(audit.held()).isSameAs(held);
            assertThat(CurrentLease.get().name()).isEqualTo("shop");
            assertThat(held.isHeld()).isTrue();
        }));
    }

    /** What Spring Data makes of one: its own proxy begins the transaction, and has an advice that calls nothing further. */
    interface Repository {
        @Locked("shop")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void apart();

        @Locked("shop")
        @Transactional
        void joining();
    }

    private Repository repository() {
        ProxyFactory factory = new ProxyFactory(new Object());
        factory.setInterfaces(Repository.class, TransactionalProxy.class);
        factory.addAdvice(new TransactionInterceptor(
                application.getBean("transactionManager", TransactionManager.class),
                new AnnotationTransactionAttributeSource()));
        factory.addAdvice((MethodInterceptor) call -> {
            shop.sell();
            return null;
        });
        application.registerBean(Repository.class, () -> (Repository) factory.getProxy());
        return application.getBean(Repository.class);
    }

    @Test
    void theTransactionOfARepositorysMethodIsKnown() {
        Repository repository = repository();
        transactions().executeWithoutResult(status -> {
            repository.apart();
            assertThat(isHeld()).isFalse();
            assertThatThrownBy(repository::joining).hasMessageContaining("was called inside a transaction");
        });
        assertThat(sold()).isOne();
        for (Moment moment : Moment.values()) {
            at(moment, called -> repository.apart());
            assertThatThrownBy(() -> at(moment, called -> repository.joining()))
                    .hasMessageContaining("joining was called when its caller's transaction had been committed");
        }
    }

    /** A manager that tells no listener has a transaction open inside of one that has ended. */
    @Test
    void whatIsOpenInsideOfOneThatHasEndedIsNotTakenForIt() {
        PlatformTransactionManager deaf = application.getBean("deaf", PlatformTransactionManager.class);
        TransactionTemplate apart = new TransactionTemplate(deaf);
        apart.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
        for (Moment moment : Moment.values()) {
            assertThatThrownBy(() -> at(moment, called -> apart.executeWithoutResult(status -> called.facade())))
                    .hasMessageContaining("was called inside a transaction");
        }
    }

    /** Also if that is after the method has returned. */
    @Test
    void aLeadThatIsLostInTheCallersTransactionKeepsThatFromCommitting() {
        Leaderships leaderships = application.getBean(Leaderships.class);
        Leaderships.Key key = new Leaderships.Key("", "shops");
        TransactionTemplate savepoint = transactions();
        savepoint.setPropagationBehavior(TransactionTemplate.PROPAGATION_NESTED);
        List<Consumer<Runnable>> ways =
                List.of(Runnable::run, inner -> savepoint.executeWithoutResult(status -> inner.run()), inner -> {
                    shop.setPoint(() -> {
                        throw new IllegalStateException("after it has written");
                    });
                    assertThatThrownBy(inner::run).hasMessage("after it has written");
                });
        for (Consumer<Runnable> way : ways) {
            await().until(() -> leaderships.lease(key).isPresent());
            Lease lease = leaderships.lease(key).orElseThrow();
            assertThatThrownBy(() -> transactions().executeWithoutResult(status -> {
                        way.accept(shop::leadingInside);
                        belay.admin().forceRelease("shops");
                        await().until(() -> !lease.isHeld());
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(sold()).isZero();
        }
        shop.setPoint(() -> {});
        await().until(() -> leaderships.lease(key).isPresent());
        transactions().executeWithoutResult(status -> shop.leadingInside());
        assertThat(sold()).isOne();
    }

    @Test
    void soDoesALeadAroundALock() {
        Leaderships leaderships = application.getBean(Leaderships.class);
        Leaderships.Key key = new Leaderships.Key("", "shops");
        await().until(() -> leaderships.lease(key).isPresent());
        transactions().executeWithoutResult(status -> shop.leadingHeld());
        assertThat(count("sold")).isOne();
        assertThat(count("belay_fence"))
                .as("that of the lock and that of the lead")
                .isEqualTo(2);
        Lease lease = leaderships.lease(key).orElseThrow();
        assertThatThrownBy(() -> transactions().executeWithoutResult(status -> {
                    shop.leadingHeld();
                    belay.admin().forceRelease("shops");
                    await().until(() -> !lease.isHeld());
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(count("sold")).isOne();
    }

    private int sold() {
        return count("sold");
    }

    private int count(String table) {
        return new JdbcTemplate(application.getBean(DataSource.class))
                .queryForObject("SELECT count(*) FROM " + table, Integer.class);
    }

    @Test
    void aPolicyHasALockHeldToTheEndOfTheTransaction() {
        AtomicBoolean joins = new AtomicBoolean();
        application.registerBean(JoinPolicy.class, () -> joins::get);
        assertThatThrownBy(() -> transactions().executeWithoutResult(status -> shop.facade()))
                .hasMessageContaining("was called inside a transaction");
        joins.set(true);
        transactions().executeWithoutResult(status -> {
            shop.facade();
            assertThat(isHeld()).isTrue();
        });
        assertThat(isHeld()).isFalse();
    }
}
