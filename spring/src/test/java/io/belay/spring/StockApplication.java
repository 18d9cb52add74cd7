package io.belay.spring;

import io.belay.Belay;
import io.belay.LockOptions;
import io.belay.jdbc.SqlFence;
import io.belay.spring.ShopApplication.Kind;
import io.belay.spring.Stock.Point;
import io.belay.spring.Stock.Points;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/** The application of {@link Stock}, which tells of the points of its transactions. */
final class StockApplication {
    private StockApplication() {}

    /** Starts it on a store of locks and a database, with a fence there or without. */
    static AnnotationConfigApplicationContext start(
            String store, String database, Kind kind, boolean fenced, Points points) {
        Logger.getLogger("org.hibernate").setLevel(Level.WARNING);
        AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
        application.registerBean(Belay.class, () -> Belay.connect(store));
        application.registerBean("dataSource", DataSource.class, () -> source(database, points));
        application.registerBean(Points.class, () -> points);
        application.register(kind == Kind.JDBC ? ByJdbc.class : ByJpa.class);
        if (fenced) {
            application.register(Fenced.class);
        }
        application.refresh();
        application.getBean(AbstractPlatformTransactionManager.class).addListener(new TransactionExecutionListener() {
            @Override
            public void beforeCommit(TransactionExecution transaction) {
                points.at(Point.AFTER_LOOK);
            }
        });
        return application;
    }

    /** Connections that tell when they commit. */
    static DataSource source(String database, Points points) {
        return new DelegatingDataSource(new DriverManagerDataSource(database)) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        StockApplication.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("commit")) {
                                points.at(Point.IN_COMMIT);
                            }
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
            }
        };
    }

    @EnableLocked
    @EnableTransactionManagement
    static class Both {
        @Bean
        Stock.Service service(Stock.Books books, Points points) {
            return new Stock.Service(books, points);
        }

        @Bean
        Stock.Facade facade(Stock.Service service) {
            return new Stock.Facade(service);
        }

        @Bean
        LockedDefaults defaults() {
            return new LockedDefaults(
                    Duration.ofSeconds(60), LockOptions.defaults().withLease(Stock.LEASE));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Fenced {
        @Bean
        @Order(1)
        TransactionFence before(Points points) {
            return leases -> points.at(Point.BEFORE_FENCE);
        }

        @Bean
        @Order(2)
        TransactionFence fence(DataSource dataSource) {
            return new JdbcTransactionFence(dataSource, SqlFence.standard());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByJdbc extends Both {
        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        Stock.Books books(DataSource dataSource) {
            return new Stock.ByJdbc(new JdbcTemplate(dataSource));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByJpa extends Both {
        @Bean
        LocalContainerEntityManagerFactoryBean factory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setManagedTypes(PersistenceManagedTypes.of(Stock.Item.class.getName(), Stock.Sold.class.getName()));
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }

        @Bean
        Stock.Books books(EntityManagerFactory factory) {
            return new Stock.ByJpa(SharedEntityManagerCreator.createSharedEntityManager(factory));
        }
    }
}
