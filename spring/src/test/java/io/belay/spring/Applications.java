package io.belay.spring;

import io.belay.Belay;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** The applications of the tests. */
final class Applications {
    private Applications() {}

    static AnnotationConfigApplicationContext of(Class<?>... configurations) {
        return new AnnotationConfigApplicationContext(configurations);
    }

    /** An application whose methods wait for their locks for longer than any test lasts. */
    @Configuration(proxyBeanMethods = false)
    static class Patient {
        @Bean
        static LockedDefaults defaults() {
            return new LockedDefaults(Duration.ofMinutes(10), null);
        }
    }

    /** An application with a client in memory and a database. */
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Base extends Patient {
        @Bean
        static Belay belay() {
            return Belay.connect("memory:" + UUID.randomUUID());
        }

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        Sale sale(Belay belay) {
            return new Sale(belay);
        }

        @Bean
        NotingTransactions reactive(Sale sale) {
            return new NotingTransactions(sale);
        }

        @Bean
        @Primary
        JdbcTransactionManager transactionManager(DataSource dataSource, Sale sale) {
            JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
            manager.addListener(new TransactionExecutionListener() {
                @Override
                public void beforeBegin(TransactionExecution transaction) {
                    sale.note("begin");
                }

                @Override
                public void afterCommit(TransactionExecution transaction, Throwable failure) {
                    sale.note("committed");
                }

                @Override
                public void afterRollback(TransactionExecution transaction, Throwable failure) {
                    sale.note("rolled back");
                }
            });
            return manager;
        }

        @Bean
        TransactionFence fence(Sale sale) {
            return leases -> sale.note("fence " + leases.size());
        }
    }

    /** Transactions that lie outside of all advices that have an order. */
    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableResilientMethods
    @EnableTransactionManagement(order = Ordered.HIGHEST_PRECEDENCE)
    static class OuterTransactions extends Base {}

    /** Transactions that lie inside. */
    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableResilientMethods
    @EnableTransactionManagement(order = Ordered.LOWEST_PRECEDENCE)
    static class InnerTransactions extends Base {}
}
