package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.jdbc.Fence;
import io.belay.jdbc.StaleTokenException;
import io.belay.servers.PostgresServer;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The shapes of transactions under a lock that is lost: none of them commits. */
class TransactionShapesTest {
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    @EnableTransactionManagement
    static class Application {
        @Bean
        Belay belay() {
            return Belay.connect("memory:" + UUID.randomUUID());
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
        TransactionFence fence(DataSource dataSource) {
            return new JdbcTransactionFence(dataSource, Fence.standard());
        }

        @Bean
        Shop.Ledger ledger(JdbcTemplate jdbc) {
            return new Shop.Ledger(jdbc);
        }

        @Bean
        Shop shop(Belay belay, Shop.Ledger ledger, PlatformTransactionManager manager) {
            return new Shop(belay, ledger, manager);
        }
    }

    private static AnnotationConfigApplicationContext start(String database) {
        Belay.prepare(database);
        AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
        application.registerBean(DataSource.class, () -> new DriverManagerDataSource(database));
        application.register(Application.class);
        application.refresh();
        application.getBean(JdbcTemplate.class).execute("CREATE TABLE sold (piece INT)");
        return application;
    }

    private static AnnotationConfigApplicationContext start() {
        return start("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    private static Map<String, Consumer<Shop>> shapes() {
        Map<String, Consumer<Shop>> shapes = new LinkedHashMap<>();
        shapes.put("a method of another bean", Shop::facade);
        shapes.put("REQUIRES_NEW in another bean", Shop::inAnother);
        shapes.put("a TransactionTemplate", Shop::template);
        shapes.put("a transaction by hand", Shop::byHand);
        shapes.put("a loss in beforeCommit", Shop::beforeCommit);
        shapes.put("the outer one of two locks", shop -> shop.inner(shop));
        return shapes;
    }

    @Test
    void noneOfThemCommitsUnderALockThatIsLost() {
        shapes().forEach((shape, call) -> {
            try (AnnotationConfigApplicationContext application = start()) {
                Shop shop = application.getBean(Shop.class);
                assertThatThrownBy(() -> call.accept(shop)).as(shape).isInstanceOf(LeaseLostException.class);
                assertThat(application.getBean(Shop.Ledger.class).sold())
                        .as(shape)
                        .isZero();
                shop.calm();
                assertThat(application.getBean(Shop.Ledger.class).sold())
                        .as(shape)
                        .isOne();
            }
        });
    }

    @Test
    void whatMustBeWrittenAfterALossIs() {
        try (AnnotationConfigApplicationContext application = start()) {
            Shop shop = application.getBean(Shop.class);
            assertThatThrownBy(shop::audit).isInstanceOf(LeaseLostException.class);
            assertThat(application.getBean(Shop.Ledger.class).sold()).isOne();
        }
    }

    @Test
    void aLossAfterTheLastCommitIsTold() {
        try (AnnotationConfigApplicationContext application = start()) {
            Shop shop = application.getBean(Shop.class);
            assertThatThrownBy(shop::afterwards).isInstanceOf(LeaseLostException.class);
            assertThat(application.getBean(Shop.Ledger.class).sold()).isOne();
        }
    }

    /** The outer transaction has the row of the fence for as long as it is open: the inner one needs no more. */
    @Test
    void theSameLockInANestedTransactionWaitsForNobody() {
        try (AnnotationConfigApplicationContext application = start()) {
            application.getBean(Shop.class).nested();
            application.getBean(Shop.class).nested();
            assertThat(application.getBean(Shop.Ledger.class).sold()).isEqualTo(6);
        }
    }

    /** Also where it is not the method with the lock that begins the transaction. */
    @Test
    void aFenceThatRefusesRollsBackAndLeavesNothingOnTheThread() throws Exception {
        try (AnnotationConfigApplicationContext application = start()) {
            Shop shop = application.getBean(Shop.class);
            try (Connection later = application.getBean(DataSource.class).getConnection()) {
                later.setAutoCommit(false);
                Fence.standard().raise(later, "shop", Long.MAX_VALUE);
                later.commit();
            }
            for (Consumer<Shop> call : shapes().values()) {
                assertThatThrownBy(() -> call.accept(shop)).isInstanceOf(StaleTokenException.class);
                assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
            }
            assertThatThrownBy(shop::calm).isInstanceOf(StaleTokenException.class);
            assertThat(application.getBean(Shop.Ledger.class).sold()).isZero();
        }
    }

    @Test
    void aFenceIsWaitedForNoLongerThanTheTransactionMayTake() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), "there is no program postgres");
        try (PostgresServer server = PostgresServer.start();
                AnnotationConfigApplicationContext application = start(server.url());
                Connection other = application.getBean(DataSource.class).getConnection()) {
            other.setAutoCommit(false);
            Fence.standard().raise(other, "shop", 1);
            Belay belay = application.getBean(Belay.class);
            TransactionTemplate brief = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            brief.setTimeout(1);
            try (Lease lease = belay.lock("shop").acquire()) {
                TransactionFence fence = application.getBean(TransactionFence.class);
                assertThatThrownBy(() -> brief.executeWithoutResult(status -> fence.raise(List.of(lease))))
                        .isInstanceOf(QueryTimeoutException.class)
                        .hasMessageContaining("the fence of 'shop' was not to be had within 1 s");
            }
            other.rollback();
            assertThatCode(application.getBean(Shop.class)::calm).doesNotThrowAnyException();
        }
    }
}
