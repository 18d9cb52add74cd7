package io.belay.spring;

import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.jdbc.SqlFence;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.hibernate.HibernateTransactionManager;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/** The application of {@link Shop}: its locks in memory, its pieces and fence in a database, which it knows by JDBC or JPA. */
final class ShopApplication {
    private ShopApplication() {}

    /** What it knows its database by. */
    enum Kind {
        JDBC(ByJdbc.class),
        JPA(ByJpa.class);

        private final Class<?> configuration;

        Kind(Class<?> configuration) {
            this.configuration = configuration;
        }

        /** Starts the application on a database of its own. */
        AnnotationConfigApplicationContext start() {
            return start("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        AnnotationConfigApplicationContext start(String database) {
            AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
            application.registerBean(
                    "dataSource", DataSource.class, () -> source(database), definition -> definition.setPrimary(true));
            application.register(configuration);
            application.refresh();
            Shop shop = application.getBean(Shop.class);
            ((AbstractPlatformTransactionManager) application.getBean(PlatformTransactionManager.class))
                    .addListener(new TransactionExecutionListener() {
                        @Override
                        public void beforeCommit(TransactionExecution transaction) {
                            shop.runAfterLook();
                        }
                    });
            return application;
        }
    }

    private static DataSource source(String database) {
        BelayAdmin.prepare(database);
        DataSource source = new DriverManagerDataSource(database);
        new JdbcTemplate(source).execute(Ledger.TABLE);
        return source;
    }

    /** Makes a manager of Hibernate's own, guarded, for what an application knows by JPA. */
    static HibernateTransactionManager hibernate(AnnotationConfigApplicationContext application) {
        HibernateTransactionManager manager =
                new HibernateTransactionManager((SessionFactory) application.getBean(EntityManagerFactory.class));
        manager.addListener(new TransactionGuard(List::of));
        return manager;
    }

    /** Tells no listener. */
    private record Deaf(PlatformTransactionManager manager) implements PlatformTransactionManager {
        @Override
        public TransactionStatus getTransaction(TransactionDefinition definition) {
            return manager.getTransaction(definition);
        }

        @Override
        public void commit(TransactionStatus status) {
            manager.commit(status);
        }

        @Override
        public void rollback(TransactionStatus status) {
            manager.rollback(status);
        }
    }

    @EnableAsync
    @EnableLocked
    @EnableScheduling
    @EnableTransactionManagement
    static class Both {
        @Bean
        static Belay belay() {
            return Belay.connect("memory:" + UUID.randomUUID());
        }

        @Bean
        TransactionFence fence(DataSource dataSource) {
            return new JdbcTransactionFence(dataSource, SqlFence.standard());
        }

        @Bean
        DataSource secondSource() {
            return source("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        JdbcTransactionManager second(@Qualifier("secondSource") DataSource source) {
            return new JdbcTransactionManager(source);
        }

        @Bean
        Sales sales(Ledger ledger, @Qualifier("secondSource") DataSource source) {
            return new Sales(ledger, new Ledger.OfJdbc(source));
        }

        @Bean
        Shop shop(Belay belay, Sales sales, Ledger ledger, PlatformTransactionManager manager) {
            return new Shop(belay, sales, ledger, manager);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByJdbc extends Both {
        @Bean
        @Primary
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager deaf(DataSource dataSource) {
            return new Deaf(new JdbcTransactionManager(dataSource));
        }

        @Bean
        Ledger ledger(DataSource dataSource) {
            return new Ledger.OfJdbc(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByJpa extends Both {
        @Bean
        LocalContainerEntityManagerFactoryBean factory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setManagedTypes(PersistenceManagedTypes.of(Ledger.Piece.class.getName()));
            return factory;
        }

        @Bean
        @Primary
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            JpaTransactionManager manager = new JpaTransactionManager(factory);
            manager.setNestedTransactionAllowed(true);
            return manager;
        }

        @Bean
        PlatformTransactionManager deaf(EntityManagerFactory factory) {
            return new Deaf(new JpaTransactionManager(factory));
        }

        @Bean
        Ledger ledger(EntityManagerFactory factory) {
            return new Ledger.OfJpa(factory, SharedEntityManagerCreator.createSharedEntityManager(factory));
        }
    }
}
