package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.belay.Belay;
import io.belay.BelayAdmin;
import io.belay.jdbc.Jdbc;
import io.belay.jdbc.SqlFence;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import io.belay.spring.boot.ClientTest.Sale;
import io.belay.support.Log;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.StringUtils;

/** Which database the locks are in, and whether transactions there are fenced. */
@Tag("long")
@Tag("transactions")
@ExtendWith(OutputCaptureExtension.class)
class OwnDatabaseTest {
    private static PostgresServer server;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    BelayAutoConfiguration.class,
                    BelayFenceAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("io.belay.redis", "io.belay.mongodb"));

    @BeforeAll
    static void start() throws Exception {
        if (PostgresServer.isInstalled()) {
            server = PostgresServer.start();
        }
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void emptyDatabase() {
        assumeTrue(server != null);
        try (HikariDataSource admin = pool()) {
            JdbcTemplate jdbc = new JdbcTemplate(admin);
            jdbc.execute("DROP SCHEMA IF EXISTS shop CASCADE");
            jdbc.execute("DROP TABLE IF EXISTS belay_lock, belay_fence, stock");
            jdbc.execute("CREATE SCHEMA shop");
        }
    }

    private static HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(server.url());
        return pool;
    }

    /** An application that makes its data source by itself. */
    @Configuration(proxyBeanMethods = false)
    static class One {
        @Bean
        DataSource orders() {
            return pool();
        }
    }

    /** An application with two, of which none is the first. */
    @Configuration(proxyBeanMethods = false)
    static class Two extends One {
        @Bean
        DataSource archive() {
            return pool();
        }
    }

    /** The same, of which one is. */
    @Configuration(proxyBeanMethods = false)
    static class OneOfTwo extends One {
        @Bean
        @Primary
        DataSource first() {
            HikariDataSource pool = pool();
            pool.setSchema("shop");
            return pool;
        }
    }

    private static int rows(AssertableApplicationContext context, String table) {
        return new JdbcTemplate(context.getBean(DataSource.class))
                .queryForObject("SELECT count(*) FROM " + table, Integer.class);
    }

    private static boolean exists(AssertableApplicationContext context, String table) {
        return exists(context.getBean(DataSource.class), table);
    }

    private static boolean exists(DataSource source, String table) {
        return new JdbcTemplate(source).queryForObject("SELECT to_regclass('" + table + "')::text", String.class)
                != null;
    }

    @Test
    void aDataSourceOfTheApplicationsOwnIsTakenAndFenced() {
        application.withUserConfiguration(One.class).withBean(Sale.class).run(context -> {
            assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
            assertThat(rows(context, "public.belay_fence")).isOne();
        });
    }

    /** As the page says: a Hikari in another class is taken for any other pool. */
    @Test
    void aLineSaysThatConnectionsAreBorrowedWhereTheyAre(CapturedOutput lines) {
        String borrows = "borrows 3 connections of the given DataSource";
        application.withUserConfiguration(One.class).run(context -> {
            context.getBean(Belay.class).lock("x").acquire().release();
            Log.flush(Pace.patience());
            assertThat(lines).doesNotContain(borrows);
        });
        // Before whose connections Spring Boot has put a proxy.
        application
                .withPropertyValues("spring.datasource.url=" + server.url(), "spring.datasource.connection-fetch=lazy")
                .run(context -> {
                    assertThat(context.getBean(DataSource.class)).isInstanceOf(LazyConnectionDataSourceProxy.class);
                    context.getBean(Belay.class).lock("x").acquire().release();
                    Log.flush(Pace.patience());
                    assertThat(lines).doesNotContain(borrows);
                });
        try (HikariDataSource pool = pool()) {
            application
                    .withBean(DataSource.class, () -> new DelegatingDataSource(pool))
                    .run(context -> {
                        context.getBean(Belay.class).lock("x").acquire().release();
                        Log.flush(Pace.patience());
                        assertThat(lines).contains(borrows);
                    });
        }
    }

    @Test
    void aDataSourceThatTakesPartInTransactionsIsFenced() {
        try (HikariDataSource pool = pool()) {
            application
                    .withBean(DataSource.class, () -> new TransactionAwareDataSourceProxy(pool))
                    .withBean(Sale.class)
                    .run(context -> {
                        assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
                        assertThat(rows(context, "public.belay_fence")).isOne();
                    });
        }
    }

    @Test
    void ofTwoTheOneIsTakenThatIsPrimary() {
        application.withUserConfiguration(OneOfTwo.class).withBean(Sale.class).run(context -> {
            assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
            assertThat(rows(context, "shop.belay_fence")).isOne();
            assertThat(exists(context, "public.belay_lock")).isFalse();
        });
    }

    @Test
    void ofTwoEqualOnesOneHasToBeNamed() {
        application.withUserConfiguration(Two.class).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new SetupFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("several databases").contains("archive, orders");
            assertThat(analysis.getAction())
                    .contains("belay.jdbc.data-source")
                    .contains("@Primary")
                    .contains("belay.url");
        });
        application
                .withUserConfiguration(Two.class)
                .withPropertyValues("belay.jdbc.data-source=archive")
                .run(context -> {
                    context.getBean(Belay.class).lock("x").acquire().release();
                    assertThat(exists(context.getBean("archive", DataSource.class), "public.belay_lock"))
                            .isTrue();
                });
        application
                .withUserConfiguration(Two.class)
                .withPropertyValues("belay.jdbc.data-source=nobody")
                .run(context -> assertThat(new SetupFailureAnalyzer()
                                .analyze(context.getStartupFailure())
                                .getDescription())
                        .contains("belay.jdbc.data-source is 'nobody'"));
    }

    /** Spring Boot's details are of the other one. */
    @Test
    void ofASecondOneThatIsNamedItIsAskedWhetherItIsEmbedded() {
        String embedded = "jdbc:h2:mem:beside-a-second;DB_CLOSE_DELAY=-1";
        withSecond(OwnDatabaseTest::pool)
                .withPropertyValues("spring.datasource.url=" + embedded)
                .run(context -> {
                    assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("belay_lock");
                    try (HikariDataSource pool = pool()) {
                        assertThat(exists(pool, "public.belay_lock")).isFalse();
                    }
                });
        withSecond(() -> new DriverManagerDataSource(embedded))
                .withPropertyValues("spring.datasource.url=" + server.url())
                .run(context -> context.getBean(Belay.class).lock("x").acquire().release());
    }

    /** Returns an application that has its locks in a data source beside that of Spring Boot. */
    private ApplicationContextRunner withSecond(Supplier<DataSource> source) {
        return application
                .withBean(
                        "second",
                        DataSource.class,
                        source,
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
                .withPropertyValues(
                        "belay.jdbc.data-source=second",
                        "belay.jdbc.initialize-schema=embedded",
                        "belay.connect=if-reachable");
    }

    /** Unfenced transactions of a database that may be that of the locks would be found out by a lost update. */
    @Test
    void ofTwoEqualOnesTheOneThatIsFencedHasToBeNamedAlsoWithAUrl() {
        ApplicationContextRunner withUrl = application
                .withUserConfiguration(Two.class)
                .withPropertyValues("belay.url=jdbc:h2:mem:another;DB_CLOSE_DELAY=-1;belay-create=true");
        withUrl.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new SetupFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("archive, orders").contains("fenced");
            assertThat(analysis.getAction())
                    .contains("belay.jdbc.data-source")
                    .contains("belay.jdbc.fence=false")
                    .doesNotContain("belay.url");
        });
        for (String way : List.of("belay.jdbc.fence=false", "belay.jdbc.data-source=orders")) {
            withUrl.withPropertyValues(way)
                    .run(context ->
                            context.getBean(Belay.class).lock("x").acquire().release());
        }
    }

    @Test
    void theSchemaOfThePoolIsThatOfTheTables() {
        application
                .withBean(Sale.class)
                .withPropertyValues("spring.datasource.url=" + server.url(), "spring.datasource.hikari.schema=shop")
                .run(context -> {
                    assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
                    assertThat(rows(context, "shop.belay_lock")).isPositive();
                    assertThat(rows(context, "shop.belay_fence")).isOne();
                    assertThat(exists(context, "public.belay_lock")).isFalse();
                });
    }

    @Test
    void aUrlOfTheSameDatabaseIsFencedThere() {
        String url = server.url() + (server.url().contains("?") ? "&" : "?") + "belay-create=true";
        application
                .withUserConfiguration(One.class)
                .withBean(Sale.class)
                .withPropertyValues("belay.url=" + url)
                .run(context -> {
                    assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
                    assertThat(rows(context, "public.belay_fence")).isOne();
                });
    }

    /** As the client does: what the URL names by a variable is the application's database. */
    @Test
    void aUrlWithAVariableOfTheEnvironmentIsFencedThere() {
        Map.Entry<String, String> variable = System.getenv().entrySet().stream()
                .filter(entry -> entry.getValue().matches("\\w{1,40}"))
                .findFirst()
                .orElseThrow();
        String url = "jdbc:h2:mem:fenced-%s;DB_CLOSE_DELAY=-1";
        application
                .withBean(DataSource.class, () -> new DriverManagerDataSource(url.formatted(variable.getValue())))
                .withBean(Sale.class)
                .withPropertyValues("belay.url=" + url.formatted("${" + variable.getKey() + "}") + ";belay-create=true")
                .run(context -> {
                    assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
                    assertThat(rows(context, "belay_fence")).isOne();
                });
    }

    /** Of a proxy the application may have made its transactions of what is behind it. */
    @Test
    void aUrlOfTheSameDatabaseIsFencedThereBehindAProxyToo() {
        String url = "jdbc:h2:mem:behind;DB_CLOSE_DELAY=-1";
        DataSource source = new DriverManagerDataSource(url);
        application
                .withBean(DataSource.class, () -> new LazyConnectionDataSourceProxy(source))
                .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(source))
                .withBean(JdbcTemplate.class, () -> new JdbcTemplate(source))
                .withBean(Sale.class)
                .withPropertyValues("belay.url=" + url + ";belay-create=true")
                .run(context -> {
                    assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
                    assertThat(rows(context, "belay_fence")).isOne();
                });
    }

    private static void assertUnfenced(AssertableApplicationContext context) {
        assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
        assertThat(exists(context, "public.belay_fence")).isFalse();
    }

    @Test
    void aStoreElsewhereNeedsNoTableInTheDatabase() {
        ApplicationContextRunner withDatabase =
                application.withUserConfiguration(One.class).withBean(Sale.class);
        withDatabase.withPropertyValues("belay.url=memory:elsewhere").run(OwnDatabaseTest::assertUnfenced);
        emptyDatabase();
        withDatabase
                .withBean(Belay.class, () -> Belay.connect("memory:own-client"))
                .run(OwnDatabaseTest::assertUnfenced);
        emptyDatabase();
        withDatabase
                .withBean(BelayConnectionDetails.class, () -> BelayConnectionDetails.of("memory:details"))
                .run(OwnDatabaseTest::assertUnfenced);
        emptyDatabase();
        withDatabase
                .withPropertyValues("belay.url=jdbc:h2:mem:another;DB_CLOSE_DELAY=-1;belay-create=true")
                .run(OwnDatabaseTest::assertUnfenced);
        emptyDatabase();
        withDatabase.withPropertyValues("belay.jdbc.fence=false").run(context -> {
            assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
            assertThat(rows(context, "public.belay_fence")).isZero();
        });
    }

    /** Else it would be found out by a lost update. */
    @Test
    void aLineSaysThatNothingIsFencedWhereNobodyTellsWhereTheLocksAre(CapturedOutput lines) {
        String line = "which does not tell whether they are in the database of the transactions";
        String url = "jdbc:h2:mem:own-details;DB_CLOSE_DELAY=-1";
        ApplicationContextRunner withDatabase = application.withUserConfiguration(One.class);
        ApplicationContextRunner own = withDatabase.withBean(Belay.class, () -> Belay.connect("memory:own-client"));
        List<ApplicationContextRunner> silent = List.of(
                withDatabase,
                withDatabase.withPropertyValues("belay.url=memory:elsewhere"),
                withDatabase.withBean(BelayConnectionDetails.class, () -> BelayConnectionDetails.of("memory:details")),
                own.withPropertyValues("belay.jdbc.fence=false"),
                own.withBean(SqlFence.class, SqlFence::standard));
        List<ApplicationContextRunner> told = List.of(
                own,
                withDatabase.withBean(
                        BelayConnectionDetails.class, () -> BelayConnectionDetails.of(url + ";belay-create=true")),
                withDatabase.withBean(
                        BelayConnectionDetails.class,
                        () -> BelayConnectionDetails.of(Jdbc.at(url).withTablesMade())));
        silent.forEach(runner -> runner.run(context -> assertThat(context).hasNotFailed()));
        Log.flush(Pace.patience());
        assertThat(lines).doesNotContain(line);
        told.forEach(runner -> runner.run(context -> assertThat(context).hasNotFailed()));
        Log.flush(Pace.patience());
        assertThat(StringUtils.countOccurrencesOf(lines.getAll(), line)).isEqualTo(told.size());
    }

    /** As the page says: the table is wherever its owner says. */
    @Test
    void aFenceOfTheApplicationsOwnIsRaisedWhateverTheStore() {
        application
                .withUserConfiguration(One.class)
                .withBean(Sale.class)
                .withBean(SqlFence.class, SqlFence::standard)
                .withPropertyValues("belay.url=memory:own-fence")
                .run(context -> {
                    BelayAdmin.prepare(server.url());
                    assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
                    assertThat(rows(context, "public.belay_fence")).isOne();
                });
    }

    @Test
    void noTransactionIsFencedWhereThePropertySaysSoThoughThereIsAFence() {
        application
                .withUserConfiguration(One.class)
                .withBean(Sale.class)
                .withBean(SqlFence.class, SqlFence::standard)
                .withPropertyValues("belay.url=memory:no-fence", "belay.jdbc.fence=false")
                .run(context -> {
                    BelayAdmin.prepare(server.url());
                    assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
                    assertThat(rows(context, "public.belay_fence")).isZero();
                });
    }
}
