package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.BelayAdmin;
import io.belay.jdbc.SqlFence;
import io.belay.spring.JdbcTransactionFence;
import io.belay.spring.Locked;
import io.belay.spring.TransactionFence;
import io.belay.spring.boot.ClientTest.Sale;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** Fences that the application has made, and the starter's beside them. */
class OwnFencesTest {
    private static final String SHOP = "jdbc:h2:mem:own-fences-shop;DB_CLOSE_DELAY=-1";
    private static final String ORDERS = "jdbc:h2:mem:own-fences-orders;DB_CLOSE_DELAY=-1";

    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    BelayAutoConfiguration.class,
                    BelayFenceAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("io.belay.redis", "io.belay.mongodb"));
    private final ApplicationContextRunner application = bare.withUserConfiguration(Shop.class);

    /** An application with two databases, of which one is the primary. */
    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        @Primary
        static DataSource shop() {
            return new DriverManagerDataSource(SHOP);
        }

        @Bean
        static DataSource orders() {
            return new DriverManagerDataSource(ORDERS);
        }

        @Bean
        @Primary
        static PlatformTransactionManager shopTransactions(DataSource shop) {
            return new JdbcTransactionManager(shop);
        }

        @Bean
        static PlatformTransactionManager orderTransactions(@Qualifier("orders") DataSource orders) {
            return new JdbcTransactionManager(orders);
        }

        @Bean
        static Sale sale(JdbcTemplate jdbc) {
            return new Sale(jdbc);
        }

        @Bean
        static Order order() {
            return new Order();
        }
    }

    /** Writes to the other database; public, as its proxy is of another class loader. */
    public static class Order {
        @Locked(value = "stock", longestWait = "10m")
        @Transactional("orderTransactions")
        public void send() {}
    }

    @BeforeEach
    void emptyDatabases() {
        for (String url : List.of(SHOP, ORDERS)) {
            jdbc(url).execute("DROP ALL OBJECTS");
        }
    }

    private static JdbcTemplate jdbc(String url) {
        return new JdbcTemplate(new DriverManagerDataSource(url));
    }

    private static int rows(String url, String table) {
        return jdbc(url).queryForObject("SELECT count(*) FROM " + table, Integer.class);
    }

    /** Returns that application with a fence of its own for the transactions of a data source. */
    private static ApplicationContextRunner fenced(ApplicationContextRunner application, String source, String table) {
        return application.withInitializer(context -> ((GenericApplicationContext) context)
                .registerBean(
                        source + "Fence",
                        TransactionFence.class,
                        () -> new JdbcTransactionFence(
                                context.getBean(source, DataSource.class), SqlFence.inTable(table))));
    }

    /** Else the other one's fence would be there in the place of that of the database with the locks. */
    @Test
    void theStartersIsRaisedBesideOneOfAnotherDatabase() {
        BelayAdmin.prepare(ORDERS);
        fenced(application, "orders", "belay_fence").run(context -> {
            assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
            assertThat(rows(SHOP, "belay_fence")).isOne();
            context.getBean(Order.class).send();
            assertThat(rows(ORDERS, "belay_fence")).isOne();
        });
    }

    /** Nobody has made a table for it there. */
    @ParameterizedTest
    @ValueSource(strings = {"belay.jdbc.initialize-schema=never", "belay.url=" + SHOP})
    void theStartersIsNotRaisedWhereOneOfTheApplicationIs(String property) {
        BelayAdmin.prepare(SHOP + ";belay-fence=shop_fence");
        fenced(application, "shop", "shop_fence").withPropertyValues(property).run(context -> {
            assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
            assertThat(rows(SHOP, "shop_fence")).isOne();
        });
    }

    /** A table of that name is in one of the databases alone. */
    @Test
    void anSqlFenceOfWhichOneOfTheApplicationIsMadeSaysNothingOfTheFirstDatabase() {
        BelayAdmin.prepare(ORDERS + ";belay-fence=orders_fence");
        fenced(application, "orders", "orders_fence")
                .withBean(SqlFence.class, () -> SqlFence.inTable("orders_fence"))
                .withPropertyValues("belay.url=memory:own-fences")
                .run(context -> {
                    assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
                    context.getBean(Order.class).send();
                    assertThat(rows(ORDERS, "orders_fence")).isOne();
                });
    }

    @Test
    void whereTheApplicationFencesTwoEqualDatabasesNeitherHasToBeNamed() {
        ApplicationContextRunner two =
                bare.withBean("shop", DataSource.class, Shop::shop).withBean("orders", DataSource.class, Shop::orders);
        ApplicationContextRunner fenced = fenced(fenced(two, "shop", "shop_fence"), "orders", "orders_fence");
        fenced.withPropertyValues("belay.url=jdbc:h2:mem:another;DB_CLOSE_DELAY=-1;belay-create=true")
                .run(context -> assertThat(context).hasNotFailed());
        fenced.withPropertyValues("belay.url=memory:own-fences")
                .withBean("one", SqlFence.class, SqlFence::standard)
                .withBean("other", SqlFence.class, SqlFence::standard)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void ofSeveralSqlFencesOneHasToBeThePrimary() {
        ApplicationContextRunner two = bare.withBean(DataSource.class, Shop::shop)
                .withBean("one", SqlFence.class, SqlFence::standard)
                .withPropertyValues("belay.url=memory:two-fences");
        two.withBean("other", SqlFence.class, SqlFence::standard).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new SetupFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription())
                    .contains("several beans of the type SqlFence")
                    .contains("one,other");
            assertThat(analysis.getAction()).contains("@Primary").contains("belay.jdbc.fence=false");
        });
        two.withBean("other", SqlFence.class, SqlFence::standard, definition -> definition.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed());
    }
}
