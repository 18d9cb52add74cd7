package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.belay.Belay;
import io.belay.DeadlockException;
import io.belay.DeadlockPolicy;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.LockOptions;
import io.belay.StoreMisconfiguredException;
import io.belay.StoreUnavailableException;
import io.belay.jdbc.SqlFence;
import io.belay.servers.EtcdServer;
import io.belay.servers.MongoServer;
import io.belay.servers.Pace;
import io.belay.servers.PostgresServer;
import io.belay.servers.RedisServer;
import io.belay.servers.TcpProxy;
import io.belay.servers.ZooKeeperServer;
import io.belay.spring.Locked;
import io.belay.spring.LockedDefaults;
import io.belay.spring.TransactionFence;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** The client of applications that say where its store is, or do not. */
public class ClientTest {
    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    BelayAutoConfiguration.class,
                    BelayFenceAutoConfiguration.class,
                    BelayShedLockAutoConfiguration.class));
    private final ApplicationContextRunner withDatabase = bare.withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("io.belay.redis", "io.belay.mongodb"));

    /** Sells by a method with a lock. */
    public static class Sale {
        private final JdbcTemplate jdbc;

        public Sale(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("CREATE TABLE IF NOT EXISTS stock (pieces INT)");
            jdbc.update("INSERT INTO stock VALUES (100)");
        }

        @Locked(value = "stock", longestWait = "10m")
        @Transactional
        public int sell() {
            int left = jdbc.queryForObject("SELECT pieces FROM stock", Integer.class) - 1;
            jdbc.update("UPDATE stock SET pieces = ?", left);
            return left;
        }
    }

    private static FailureAnalysis analysis(Throwable failure) {
        return new SetupFailureAnalyzer().analyze(failure);
    }

    @Test
    void aUrlIsEnough(@TempDir Path directory) {
        bare.withPropertyValues("belay.url=file:" + directory, "spring.application.name=shop", "belay.namespace=north")
                .run(context -> {
                    Belay belay = context.getBean(Belay.class);
                    try (Lease lease = belay.lock("x").acquire()) {
                        assertThat(lease.name()).isEqualTo("north:x");
                        assertThat(belay.admin().inspect("x").claims().get(0).client())
                                .isEqualTo("shop-" + ProcessHandle.current().pid());
                    }
                });
    }

    @Test
    void aPropertySaysWhenDeadlocksAreLookedFor() {
        LockOptions throwing = LockOptions.defaults().withDeadlock(DeadlockPolicy.THROW);
        bare.withPropertyValues("belay.url=memory:deadlocks").run(context -> {
            DistributedLock lock = context.getBean(Belay.class).lock("x", throwing);
            try (Lease lease = lock.acquire()) {
                assertThatThrownBy(() -> lock.tryAcquire(Pace.patience())).isInstanceOf(DeadlockException.class);
                assertThat(lease.isHeld()).isTrue();
            }
        });
        bare.withPropertyValues("belay.url=memory:deadlocks", "belay.deadlock-check=0")
                .run(context -> {
                    DistributedLock lock = context.getBean(Belay.class).lock("x", throwing);
                    try (Lease lease = lock.acquire()) {
                        assertThat(lock.tryAcquire(Duration.ofMillis(100)))
                                .as("it waits for itself, and nobody looks")
                                .isEmpty();
                        assertThat(lease.isHeld()).isTrue();
                    }
                });
    }

    /** The tests above and below have a Redis, PostgreSQL, H2 and a directory. */
    @Tag("long")
    @Test
    void theOtherStoresTakeAUrl() throws Exception {
        try (ZooKeeperServer zooKeeper = ZooKeeperServer.start();
                MongoServer mongo = MongoServer.start()) {
            assertLocks("belay.url=" + zooKeeper.url());
            assertLocks("belay.url=" + mongo.url());
        }
        if (EtcdServer.isInstalled()) {
            try (EtcdServer etcd = EtcdServer.start()) {
                assertLocks("belay.url=etcd://127.0.0.1:" + etcd.port());
            }
        }
    }

    @Test
    void anApplicationsMongoDbIsTaken() throws Exception {
        try (MongoServer mongo = MongoServer.start()) {
            bare.withConfiguration(AutoConfigurations.of(MongoAutoConfiguration.class))
                    .withPropertyValues("spring.mongodb.uri=" + mongo.url())
                    .run(context -> assertThat(
                                    context.getBean(Belay.class).lock("x").tryRun(Pace.patience(), () -> {}))
                            .isTrue());
        }
    }

    private void assertLocks(String url) {
        bare.withPropertyValues(url, "belay.lock.lease=5s", "belay.connect=required")
                .run(context -> assertThat(
                                context.getBean(Belay.class).lock("x").tryRun(Pace.patience(), () -> {}))
                        .isTrue());
    }

    @Test
    void propertiesAreWhatTheySay() {
        bare.withPropertyValues(
                        "belay.url=memory:properties",
                        "belay.client-name=cashier",
                        "belay.lock.lease=7s",
                        "belay.lock.slice=3ms",
                        "belay.locked.longest-wait=5s")
                .run(context -> {
                    LockedDefaults defaults = context.getBean(LockedDefaults.class);
                    assertThat(defaults.longestWait()).hasSeconds(5);
                    Belay belay = context.getBean(Belay.class);
                    assertThat(belay.lockDefaults().lease()).hasSeconds(7);
                    assertThat(belay.lockDefaults().slice()).hasValue(Duration.ofMillis(3));
                    try (Lease held = belay.lock("x").acquire()) {
                        assertThat(belay.admin()
                                        .inspect(held.name())
                                        .claims()
                                        .get(0)
                                        .client())
                                .isEqualTo("cashier");
                    }
                    assertThat(context).hasBean("belayLockProvider");
                });
    }

    @Test
    void theWaitsAndHoldsOfMethodsAreObserved() {
        List<String> observed = new CopyOnWriteArrayList<>();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                observed.add(context.getName());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        withDatabase
                .withConfiguration(AutoConfigurations.of(BelayMetricsAutoConfiguration.class))
                .withBean(ObservationRegistry.class, () -> registry)
                .withBean(Sale.class)
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:observed;DB_CLOSE_DELAY=-1")
                .run(context -> {
                    assertThat(context.getBean(Sale.class).sell()).isEqualTo(99);
                    // The end of a hold is observed by a thread of the client's.
                    await().untilAsserted(() -> assertThat(observed).containsExactly("belay.acquire", "belay.hold"));
                });
    }

    @Test
    void withoutAStoreTheStartSaysWhatToDo() {
        bare.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = analysis(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("There is no store for locks");
            assertThat(analysis.getAction()).contains("Set belay.url");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "belay.lock.lease=0s, A property of belay.* cannot be: lease is PT0S",
        "belay.lock.lease=30, A property of belay.* cannot be: lease is PT0.03S",
        "belay.lock.slice=0, A property of belay.* cannot be: slice is PT0S",
        "belay.lock.sticky=0, A property of belay.* cannot be: sticky is PT0S",
        "belay.request-timeout=0, A property of belay.* cannot be: requestTimeout is PT0S",
        "belay.deadlock-check=-1s, A property of belay.* cannot be: deadlockCheck is PT-1S",
        "belay.locked.longest-wait=-1s, The property belay.locked.longest-wait cannot be: ",
        "belay.fence.longest-wait=-1s, The property belay.fence.longest-wait cannot be: ",
        "belay.jdbc.table=belay-lock, The property belay.jdbc.table cannot be: The name of the table must be",
        "belay.store=etcd, The property belay.store names none of the stores that",
        "belay.url=, The property belay.url is empty.",
        "belay.namespace=, The property belay.namespace cannot be: "
    })
    void aPropertyThatIsOutOfRangeIsToldInALine(String property, String told) {
        withDatabase
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:range;DB_CLOSE_DELAY=-1", property)
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription()).startsWith(told).doesNotContain("\n");
                    if (told.contains("cannot be")) {
                        assertThat(analysis.getCause()).hasCauseInstanceOf(RuntimeException.class);
                    }
                });
    }

    /** Who believes that it counts would lock in another table than the instances that have no URL. */
    @Test
    void theTableOfTheApplicationsOwnDatabaseIsRefusedBesideAUrl() {
        bare.withPropertyValues("belay.url=jdbc:h2:mem:table;DB_CLOSE_DELAY=-1", "belay.jdbc.table=shop.locks")
                .run(context -> {
                    FailureAnalysis analysis = analysis(context.getStartupFailure());
                    assertThat(analysis.getDescription()).startsWith("The property belay.jdbc.table is for");
                    assertThat(analysis.getAction()).contains("belay-table=");
                });
    }

    /** As with {@code spring.main.lazy-initialization}: the methods of those that are scheduled would fail at each call. */
    @Test
    void theSettingsOfMethodsAreLookedAtAlsoWhereOtherBeansAreLazy() {
        withDatabase
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(
                        LazyInitializationExcludeFilter.class,
                        () -> LazyInitializationExcludeFilter.forBeanTypes(Sale.class))
                .withBean(Sale.class)
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:lazy;DB_CLOSE_DELAY=-1", "belay.locked.longest-wait=-1s")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(analysis(context.getStartupFailure()).getDescription())
                            .startsWith("The property belay.locked.longest-wait cannot be: ");
                });
    }

    @Test
    void aUrlOfTheApplicationsOwnThatCannotBeIsToldInALine() {
        bare.withConfiguration(AutoConfigurations.of(MongoAutoConfiguration.class))
                .withPropertyValues("spring.mongodb.uri=mongodb://127.0.0.1:1/shop?belay-watch=perhaps")
                .run(context -> assertThat(analysis(context.getStartupFailure()).getDescription())
                        .startsWith("The store of the locks cannot be used: ")
                        .contains("belay-watch")
                        .doesNotContain("\n"));
    }

    /** Or that stands for itself, as one that was to have a default. */
    @ParameterizedTest
    @ValueSource(strings = {"belay.test.other=", "belay.test.nothing=${belay.test.nothing:localhost}"})
    void aPlaceholderOfTheUrlThatIsMissingIsToldWithoutItsPassword(String property) {
        bare.withPropertyValues("belay.url=redis://shop:s3cret@${belay.test.nothing}", property)
                .run(context -> {
                    assertThat(context).hasFailed();
                    Throwable failure = context.getStartupFailure();
                    assertThat(analysis(failure).getDescription()).contains("belay.url names 'belay.test.nothing'");
                    assertThat(Throwables.getStackTrace(failure)).doesNotContain("s3cret");
                });
    }

    @Test
    void ofTwoStoresOneHasToBeChosen() throws Exception {
        try (RedisServer redis = RedisServer.start(RedisServer.Version.V7_0)) {
            ApplicationContextRunner both = withDatabase
                    .withClassLoader(new FilteredClassLoader("io.belay.mongodb"))
                    .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.datasource.url=jdbc:h2:mem:two;DB_CLOSE_DELAY=-1",
                            "spring.data.redis.url=" + redis.url());
            both.run(context -> {
                assertThat(context).hasFailed();
                FailureAnalysis analysis = analysis(context.getStartupFailure());
                assertThat(analysis.getDescription())
                        .contains("spring.datasource")
                        .contains("spring.data.redis");
                assertThat(analysis.getAction())
                        .contains("belay.store=redis")
                        .contains("belay.store=jdbc")
                        .contains("belay.url");
            });
            both.withPropertyValues("belay.store=redis").run(context -> {
                assertThat(context).doesNotHaveBean(SqlFence.class);
                try (Lease lease = context.getBean(Belay.class).lock("x").acquire();
                        Belay other = Belay.connect(redis.url())) {
                    assertThat(other.admin().inspect(lease.name()).claims()).hasSize(1);
                }
            });
            both.withPropertyValues("belay.store=jdbc").run(context -> {
                assertThat(context).hasSingleBean(TransactionFence.class);
                assertThat(context.getBean(Belay.class).lock("x").tryRun(Pace.patience(), () -> {}))
                        .isTrue();
            });
        }
    }

    /** The details name a single server besides, which is the property's default. */
    @Test
    void amongReplicasTheMasterHasToBeNamed() {
        ApplicationContextRunner replicas = bare.withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.masterreplica.nodes=cache-1:6379,cache-2:6379");
        replicas.run(context -> {
            FailureAnalysis analysis = analysis(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("spring.data.redis.masterreplica.nodes");
            assertThat(analysis.getAction()).startsWith("Set belay.url to the master");
        });
        replicas.withPropertyValues("belay.url=memory:replicas")
                .run(context -> assertThat(context).hasSingleBean(Belay.class));
    }

    @Test
    void aStoreWhoseModuleIsMissingIsNamed() {
        withDatabase
                .withClassLoader(new FilteredClassLoader("io.belay.jdbc", "io.belay.redis", "io.belay.mongodb"))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:missing")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(analysis(context.getStartupFailure()).getAction())
                            .contains("Add the dependency belay-jdbc, or set belay.url.");
                });
    }

    @Test
    void aDatabaseNeedsNoLineOfConfiguration() throws Exception {
        assumeTrue(PostgresServer.isInstalled());
        try (PostgresServer server = PostgresServer.start()) {
            withDatabase
                    .withBean(Sale.class)
                    .withPropertyValues("spring.datasource.url=" + server.url())
                    .run(context -> {
                        Sale sale = context.getBean(Sale.class);
                        CompletableFuture<?>[] sales = new CompletableFuture<?>[40];
                        for (int i = 0; i < sales.length; i++) {
                            sales[i] = CompletableFuture.runAsync(sale::sell);
                        }
                        CompletableFuture.allOf(sales).join();
                        assertThat(sale.sell()).isEqualTo(59);
                        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                        assertThat(jdbc.queryForList("SELECT * FROM belay_fence"))
                                .hasSize(1);
                    });
        }
    }

    @Test
    void tablesAreLeftToOthersWhereThatIsSaid() throws Exception {
        assumeTrue(PostgresServer.isInstalled());
        try (PostgresServer server = PostgresServer.start()) {
            withDatabase
                    .withPropertyValues(
                            "spring.datasource.url=" + server.url(),
                            "belay.jdbc.initialize-schema=embedded",
                            "belay.connect=if-reachable")
                    .run(context ->
                            assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("belay_lock"));
        }
    }

    @Test
    void tablesAreMadeInWhatIsEmbeddedWhereThatIsSaid(@TempDir Path directory) {
        ApplicationContextRunner embedded =
                withDatabase.withPropertyValues("belay.jdbc.initialize-schema=embedded", "belay.connect=if-reachable");
        embedded.withPropertyValues("spring.datasource.url=jdbc:h2:mem:embedded;DB_CLOSE_DELAY=-1")
                .run(context -> context.getBean(Belay.class).lock("x").acquire().release());
        embedded.withPropertyValues("spring.datasource.url=jdbc:h2:file:" + directory + "/shop")
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("belay_lock"));
    }

    @Test
    void theApplicationStartsWhileTheStoreIsAwayAndGoesOnOnceItIsThere() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0);
                TcpProxy proxy = TcpProxy.to(server)) {
            proxy.cut();
            String place = "127.0.0.1:" + proxy.port();
            bare.withPropertyValues("belay.url=redis://" + place, "belay.connect=required")
                    .run(context -> assertThat(
                                    analysis(context.getStartupFailure()).getAction())
                            .contains("belay.connect=later"));
            bare.withPropertyValues("belay.url=redis://" + place).run(context -> {
                Belay belay = context.getBean(Belay.class);
                BelayHealthIndicator health = new BelayHealthIndicator(belay);
                await().until(() -> health.health().getStatus().equals(Status.DOWN));
                // While an attempt to connect goes on it is not known yet why it fails.
                await().untilAsserted(
                                () -> assertThatThrownBy(() -> belay.lock("x").tryAcquire())
                                        .isInstanceOf(StoreUnavailableException.class)
                                        .hasMessageContaining(place));
                proxy.pass();
                await().until(() -> {
                    belay.lock("x").acquire().release();
                    return health.health().getStatus().equals(Status.UP);
                });
            });
        }
    }

    /** However long the application waited for the store. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://127.0.0.1:70000",
                "redis://127.0.0.1:0",
                "etcd://127.0.0.1:70000",
                "zookeeper://127.0.0.1:0",
                "mongodb://127.0.0.1:70000",
                "jdbc:h2:mem:x;belay-table=a b"
            })
    void aUrlThatNoWaitingMendsFailsTheStart(String url) {
        bare.withPropertyValues("belay.url=" + url)
                .run(context -> assertThat(analysis(context.getStartupFailure()).getDescription())
                        .startsWith("The store of the locks cannot be used"));
    }

    @Test
    void aWrongPasswordFailsAtTheFirstUseOrAtTheStart() throws Exception {
        try (RedisServer server =
                RedisServer.builder(RedisServer.Version.V7_0).password("right").start()) {
            String url = "redis://:s3cret@127.0.0.1:" + server.port();
            bare.withPropertyValues("belay.url=" + url).run(context -> {
                Belay belay = context.getBean(Belay.class);
                assertThatThrownBy(() -> belay.lock("x").acquire())
                        .isInstanceOf(StoreMisconfiguredException.class)
                        .hasMessageNotContaining("s3cret");
            });
            bare.withPropertyValues("belay.url=" + url, "belay.connect=if-reachable")
                    .run(context -> {
                        FailureAnalysis analysis = analysis(context.getStartupFailure());
                        assertThat(analysis.getDescription())
                                .startsWith("The store of the locks cannot be used")
                                .doesNotContain("s3cret");
                    });
        }
    }
}
