package io.belay.spring;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.LockOptions;
import io.belay.jdbc.Fence;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** An application that counts down in a database under a lock, and can be held up at two points of its transaction. */
public class Counter {
    static final Duration LEASE = Duration.ofSeconds(2);

    /** What is done at a point of the transaction. */
    interface Points {
        /** After the transaction has begun, before its first statement. */
        default void begun() {}

        /** After the lease was looked at for the last time, before the commit. */
        default void checked() {}
    }

    private final JdbcTemplate jdbc;
    private final Points points;

    public Counter(JdbcTemplate jdbc, Points points) {
        this.jdbc = jdbc;
        this.points = points;
    }

    @Locked("counter")
    @Transactional
    public int count() {
        int left = jdbc.queryForObject("SELECT pieces FROM counter", Integer.class) - 1;
        jdbc.update("UPDATE counter SET pieces = ?", left);
        return left;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    @EnableTransactionManagement
    static class Application {
        @Bean
        @Order(1)
        TransactionFence begun(Points points) {
            return leases -> points.begun();
        }

        @Bean
        @Order(2)
        TransactionFence fence(DataSource dataSource) {
            return new JdbcTransactionFence(dataSource, Fence.standard());
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        LockedDefaults defaults() {
            return new LockedDefaults(
                    Duration.ofSeconds(60), LockOptions.defaults().withLease(LEASE));
        }
    }

    /** Starts the application on a store of locks and a database. */
    static AnnotationConfigApplicationContext start(String store, String database, Points points) {
        AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
        application.registerBean(Belay.class, () -> Belay.connect(store, BelayOptions.defaults()));
        application.registerBean(DataSource.class, () -> new DriverManagerDataSource(database));
        application.registerBean(Points.class, () -> points);
        application.register(Application.class, Counter.class);
        application.refresh();
        application.getBean(JdbcTransactionManager.class).addListener(new TransactionExecutionListener() {
            @Override
            public void beforeCommit(TransactionExecution transaction) {
                points.checked();
            }
        });
        return application;
    }
}
