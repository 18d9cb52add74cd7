package io.belay.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.OwnHold;
import io.belay.spring.Locked;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.test.context.transaction.TestTransaction;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests that begin a transaction around what takes locks. */
@Tag("transactions")
class TestTransactionsTest {
    /** Does nothing, under a lock. */
    public static class Work {
        @Locked("work")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableTransactionManagement
    static class Application {
        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        JdbcTransactionManager transactionManager() {
            return new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:test-transactions"));
        }
    }

    @Nested
    @SpringBootTest(classes = Application.class, properties = "belay.url=redis://127.0.0.1:1")
    @AutoConfigureTestLocks
    @Transactional
    class WithTestLocks {
        @Autowired
        private Work work;

        @Autowired
        private Belay belay;

        @Autowired
        private PlatformTransactionManager manager;

        @Test
        void aLockIsHeldToTheEndOfTheTestsTransaction() {
            work.run();
            assertThat(belay.admin().holds()).extracting(OwnHold::name).containsExactly("work");
            TestTransaction.end();
            assertThat(belay.admin().holds()).isEmpty();
            TestTransaction.start();
            work.run();
            assertThat(belay.admin().holds()).hasSize(1);
        }

        @Test
        void aTransactionOfTheApplicationIsRefused() {
            TransactionTemplate apart = new TransactionTemplate(manager);
            apart.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
            assertThatThrownBy(() -> apart.executeWithoutResult(status -> work.run()))
                    .hasMessageContaining("was called inside a transaction");
            CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(
                    () -> new TransactionTemplate(manager).executeWithoutResult(status -> work.run()));
            assertThatThrownBy(elsewhere::join).hasMessageContaining("was called inside a transaction");
        }
    }

    @Nested
    @SpringBootTest(classes = Application.class, properties = "belay.url=memory:test-transactions")
    @Transactional
    class WithTheApplicationsLocks {
        @Autowired
        private Work work;

        @Test
        void itIsRefusedAsInTheApplication() {
            assertThat(TestTransaction.isActive()).isTrue();
            assertThatThrownBy(work::run).hasMessageContaining("was called inside a transaction");
        }
    }
}
