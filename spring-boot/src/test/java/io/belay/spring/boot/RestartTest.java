package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.ClientClosedException;
import io.belay.DistributedLock;
import io.belay.Lease;
import io.belay.OwnHold;
import io.belay.ReleaseOutcome;
import io.belay.StoreUnavailableException;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.spring.CurrentLease;
import io.belay.spring.LeaderOnly;
import io.belay.spring.Locked;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestContextManager;

/** Application contexts that are stopped, paused, and started again. */
class RestartTest {
    private static RedisServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RedisServer.start(RedisServer.Version.V7_0);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BelayAutoConfiguration.class))
            .withPropertyValues("belay.url=" + server.url())
            .withBean(Jobs.class);

    /** Jobs of an application. */
    public static class Jobs {
        private final AtomicInteger runs = new AtomicInteger();

        @LeaderOnly("reports")
        public void report() {
            runs.incrementAndGet();
        }

        /** Waits for as long as the first use of a driver may take. */
        @Locked(value = "stock", longestWait = "10m")
        public long sell() {
            return CurrentLease.get().token();
        }

        /** Sells, and something else inside of that; returns whether that was under the same lock. */
        @Locked(value = "stock", longestWait = "10m")
        public boolean sell(LongSupplier inside) {
            return inside.getAsLong() == CurrentLease.get().token();
        }

        /** How often it has reported. */
        public int runs() {
            return runs.get();
        }
    }

    private static ConditionFactory soon() {
        return await().atMost(Pace.patience());
    }

    /** Takes the lock and gives it back; false where the store is late, but no client that has been started is paused. */
    private static boolean isFree(DistributedLock lock) throws InterruptedException {
        try {
            lock.acquire().release();
            return true;
        } catch (StoreUnavailableException e) {
            assertThat(e).hasMessageNotContaining("paused");
            return false;
        }
    }

    private static void runsAsLeader(Jobs jobs) {
        int before = jobs.runs();
        soon().until(() -> {
            jobs.report();
            return jobs.runs() > before;
        });
    }

    /** Nobody is connected but the one who asks. */
    private static void assertDisconnected() {
        soon().untilAsserted(() ->
                assertThat(server.command("CLIENT", "LIST").lines()).hasSize(1));
        soon().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("lettuce-") || name.startsWith("belay-keeper")));
    }

    private void survives(
            Consumer<ConfigurableApplicationContext> stops, Consumer<ConfigurableApplicationContext> starts) {
        application.run(context -> {
            ConfigurableApplicationContext itself =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            Belay belay = context.getBean(Belay.class);
            Jobs jobs = context.getBean(Jobs.class);
            DistributedLock lock = belay.lock("x");
            BelayHealthIndicator health = new BelayHealthIndicator(belay);
            long token = jobs.sell();
            runsAsLeader(jobs);
            for (int i = 0; i < 2; i++) {
                stops.accept(itself);
                assertDisconnected();
                assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
                assertThat(health.health().getDetails()).containsEntry("failure", "the client is paused");
                assertThatThrownBy(lock::acquire)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("the client is paused");
                int runs = jobs.runs();
                jobs.report(); // nobody leads
                assertThat(jobs.runs()).isEqualTo(runs);

                starts.accept(itself);
                soon().until(() -> isFree(lock));
                long next = jobs.sell();
                assertThat(next).isGreaterThan(token);
                token = next;
                runsAsLeader(jobs);
                soon().until(() -> health.health().getStatus().equals(Status.UP));
            }
        });
    }

    @Test
    void aContextThatIsStoppedAndStartedHasItsLocks() {
        survives(ConfigurableApplicationContext::stop, ConfigurableApplicationContext::start);
    }

    @Test
    void aContextThatIsPausedAndRestartedHasItsLocks() {
        survives(ConfigurableApplicationContext::pause, ConfigurableApplicationContext::restart);
    }

    /** Else a test run that changes to another context stands still for that long, and nobody knows why. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aPauseThatWaitsForAHolderNamesIt(CapturedOutput lines) {
        application
                .withPropertyValues("belay.url=memory:leaked", "spring.lifecycle.timeout-per-shutdown-phase=600s")
                .run(context -> {
                    Lease lease = context.getBean(Belay.class).lock("leaked").acquire();
                    CompletableFuture<Void> paused = CompletableFuture.runAsync(
                            context.getSourceApplicationContext(ConfigurableApplicationContext.class)::pause);
                    soon().until(() -> lines.getOut()
                            .contains("The application pauses, and waits for 600 s at most for who holds 'leaked' ("));
                    assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                    assertThat(paused).succeedsWithin(Pace.patience());
                });
    }

    @Test
    void aContextThatIsClosedAfterAStopLeavesNothing() {
        Belay[] client = new Belay[1];
        application.run(context -> {
            client[0] = context.getBean(Belay.class);
            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .stop();
        });
        assertThatThrownBy(() -> client[0].lock("x").acquire()).isInstanceOf(ClientClosedException.class);
        assertDisconnected();
    }

    /** As where the port of its web server is taken: the client ends with it, and serves those that are destroyed before. */
    @Test
    void aContextThatDoesNotStartHasLocksUntilItsBeansAreDestroyed() {
        CompletableFuture<Boolean> had = new CompletableFuture<>();
        application
                .withBean(LastWork.class, had)
                .withBean(SmartLifecycle.class, FailingStart::new)
                .run(context -> assertThat(context).hasFailed());
        assertThat(had).isCompletedWithValue(true);
    }

    /** What takes a lock when it is destroyed. */
    record LastWork(Belay belay, CompletableFuture<Boolean> had) implements DisposableBean {
        @Override
        public void destroy() {
            try {
                had.complete(belay.lock("last").tryAcquire().isPresent());
            } catch (RuntimeException e) {
                had.completeExceptionally(e);
            }
        }
    }

    /** The web server, for instance. */
    static final class FailingStart implements SmartLifecycle {
        @Override
        public void start() {
            throw new ApplicationContextException("the port is taken");
        }

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    /** As of an application with a servlet's context, or of tests. */
    @Test
    void aChildContextThatIsStoppedOrClosedLeavesTheClientOfItsParentAndHasItsOwnNamespace() {
        application.run(context -> {
            Belay belay = context.getBean(Belay.class);
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(BelayAutoConfiguration.class))
                    .withPropertyValues("belay.url=" + server.url(), "belay.namespace=shop")
                    .withParent(context.getSourceApplicationContext())
                    .withBean(Jobs.class)
                    .run(child -> {
                        try (Lease lease = child.getBean(Belay.class).lock("x").acquire()) {
                            assertThat(lease.isHeld()).isTrue();
                            assertThat(belay.admin().holds())
                                    .extracting(OwnHold::name)
                                    .contains("shop:x");
                        }
                        child.getBean(Jobs.class).sell();
                        child.getSourceApplicationContext(ConfigurableApplicationContext.class)
                                .stop();
                        belay.lock("x").acquire().release();
                    });
            belay.lock("x").acquire().release();
        });
    }

    /** A method of the one runs under the lock that a method of the other holds. */
    @Test
    void aChildContextOfTheSameNamespaceHasTheLocksOfItsParent() {
        application
                .withPropertyValues("belay.namespace=shop")
                .run(context -> new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(BelayAutoConfiguration.class))
                        .withPropertyValues("belay.url=" + server.url(), "belay.namespace=shop")
                        .withParent(context.getSourceApplicationContext())
                        .withBean(Jobs.class)
                        .run(child -> assertThat(child.getBean(Jobs.class).sell(context.getBean(Jobs.class)::sell))
                                .isTrue()));
    }

    @Test
    void aChildContextHasTheClientThatItMakesItself() {
        application.run(context -> application
                .withParent(context.getSourceApplicationContext())
                .withBean("own", Belay.class, () -> Belay.connect("memory:own"))
                .run(child -> assertThat(child.getBeansOfType(Belay.class)).containsOnlyKeys("own")));
    }

    @Test
    void aStopThatFailsIsOverAllTheSame() {
        Belay broken = (Belay) Proxy.newProxyInstance(
                Belay.class.getClassLoader(), new Class<?>[] {Belay.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("the client cannot be paused");
                });
        CompletableFuture<Void> over = new CompletableFuture<>();
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            ClientLifecycle lifecycle = new ClientLifecycle(new ConnectedClient(broken), Duration.ZERO, context);
            lifecycle.onApplicationEvent(new ContextRefreshedEvent(context));
            lifecycle.stop(() -> over.complete(null));
            assertThat(over).succeedsWithin(Pace.patience());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(BelayAutoConfiguration.class)
    static class Application {
        @Bean
        Jobs jobs() {
            return new Jobs();
        }
    }

    /** A test class of an application. */
    abstract static class OfTheApplication {
        @DynamicPropertySource
        static void store(DynamicPropertyRegistry registry) {
            registry.add("belay.url", () -> server.url());
        }
    }

    @SpringBootTest(classes = Application.class, properties = "belay.client-name=one")
    static class One extends OfTheApplication {}

    @SpringBootTest(classes = Application.class, properties = "belay.client-name=two")
    static class Two extends OfTheApplication {}

    /** Runs a test class up to its end, and returns its context. */
    private static ApplicationContext use(Class<? extends OfTheApplication> test, OfTheApplication instance)
            throws Exception {
        TestContextManager manager = new TestContextManager(test);
        manager.beforeTestClass();
        manager.prepareTestInstance(instance);
        ApplicationContext context = manager.getTestContext().getApplicationContext();
        Jobs jobs = context.getBean(Jobs.class);
        jobs.sell();
        runsAsLeader(jobs);
        assertThat(context.getBean(Belay.class).admin().health().answering()).isTrue();
        manager.afterTestClass();
        return context;
    }

    /** Contexts of a test run are kept, and paused while classes with another one run. */
    @Test
    void contextsOfTestsThatAlternateHaveTheirLocksEachTime() throws Exception {
        ApplicationContext one = use(One.class, new One());
        ApplicationContext two = use(Two.class, new Two());
        try {
            assertThat(two).isNotSameAs(one);
            assertThat(one.getBean(Belay.class).admin().health().failure()).hasValue("the client is paused");
            assertThat(use(One.class, new One())).isSameAs(one);
            assertThat(two.getBean(Belay.class).admin().health().failure()).hasValue("the client is paused");
            assertThat(use(Two.class, new Two())).isSameAs(two);
        } finally {
            ((ConfigurableApplicationContext) one).close();
            ((ConfigurableApplicationContext) two).close();
        }
    }
}
