package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.ClientClosedException;
import io.belay.Lease;
import io.belay.ReleaseOutcome;
import io.belay.servers.Pace;
import io.belay.spring.Locked;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;

/** What the client does while its application context is closed. */
class ShutdownTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(BelayAutoConfiguration.class))
            .withPropertyValues("belay.url=memory:" + UUID.randomUUID())
            .withBean(LastPhase.class);

    /** The last of the phases, behind that of the client. */
    static final class LastPhase implements SmartLifecycle {
        private final CompletableFuture<Void> reached = new CompletableFuture<>();
        private volatile Runnable action = () -> {};
        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            action.run();
            reached.complete(null);
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return 0;
        }
    }

    /** Sells under a lock. */
    public static class Sale {
        private final AtomicInteger sold = new AtomicInteger();

        @Locked(value = "stock", longestWait = "10m")
        public void sell() {
            sold.incrementAndGet();
        }
    }

    /** What runs tasks, and at its end waits for those that it was given. */
    @FunctionalInterface
    interface Work {
        void submit(Runnable task);
    }

    /** Spring Boot's executor, in a bean that is made before the client is. */
    @Configuration(proxyBeanMethods = false)
    static class OfBoot {
        @Bean
        static Work work(AsyncTaskExecutor executor) {
            return executor::execute;
        }
    }

    /** An executor that Spring knows as such alone. */
    @Configuration(proxyBeanMethods = false)
    static class OfJava {
        static final class Pool extends ThreadPoolExecutor implements DisposableBean {
            private volatile boolean hasEndedInTime;
            private volatile boolean isBehindTheClient;
            private volatile @Nullable Belay client;

            Pool() {
                super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
            }

            @Override
            public void destroy() throws InterruptedException {
                isBehindTheClient = client != null && isClosed(client);
                shutdown();
                hasEndedInTime = awaitTermination(Pace.seconds(), TimeUnit.SECONDS);
            }
        }

        @Bean
        static Pool pool() {
            return new Pool();
        }

        @Bean
        static Work work(Executor pool) {
            return pool::execute;
        }
    }

    /** A scheduler that is told to begin nothing more as it is stopped, and waits for its jobs as it is destroyed, as Quartz is. */
    @Configuration(proxyBeanMethods = false)
    static class OfQuartz {
        static final class Scheduler implements Work, SmartLifecycle, DisposableBean {
            private final BlockingQueue<Runnable> jobs = new LinkedBlockingQueue<>();
            private volatile boolean running;

            @Override
            public void submit(Runnable task) {
                jobs.add(task);
            }

            @Override
            public void start() {
                running = true;
            }

            @Override
            public void stop() {
                running = false;
            }

            @Override
            public boolean isRunning() {
                return running;
            }

            @Override
            public void destroy() {
                jobs.forEach(Runnable::run);
            }
        }

        @Bean
        static Scheduler scheduler() {
            return new Scheduler();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OfBoot.class, OfJava.class, OfQuartz.class})
    void whoFinishesTasksWhenItIsDestroyedHasLocksForThem(Class<?> configuration) {
        Sale sale = new Sale();
        application
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withUserConfiguration(configuration)
                .withBean(Sale.class, () -> sale)
                .withPropertyValues(
                        "spring.task.execution.pool.core-size=1",
                        "spring.task.execution.shutdown.await-termination=true",
                        "spring.task.execution.shutdown.await-termination-period=" + Pace.seconds() + "s")
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    Sale locked = context.getBean(Sale.class);
                    LastPhase last = context.getBean(LastPhase.class);
                    work.submit(last.reached::join);
                    work.submit(locked::sell);
                    work.submit(locked::sell);
                });
        assertThat(sale.sold).hasValue(2);
    }

    /** Whoever destroys an executor waits for the task without an end, and interrupts nobody. */
    @Test
    void whoWaitsForWhatAnotherHasForGoodDoesNotKeepTheApplicationUp() throws Exception {
        String url = "memory:" + UUID.randomUUID();
        CompletableFuture<OfJava.Pool> pool = new CompletableFuture<>();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        try (Belay other = Belay.connect(url);
                Lease held = other.lock("stock").acquire()) {
            application
                    .withUserConfiguration(OfJava.class)
                    .withPropertyValues("belay.url=" + url, "spring.lifecycle.timeout-per-shutdown-phase=1s")
                    .run(context -> {
                        Belay belay = context.getBean(Belay.class);
                        context.getBean(Work.class).submit(() -> {
                            try {
                                belay.lock("stock").acquire();
                            } catch (Throwable e) {
                                thrown.complete(e);
                            }
                        });
                        await().atMost(Pace.patience())
                                .until(() -> !belay.admin().waits().isEmpty());
                        pool.complete(context.getBean(OfJava.Pool.class));
                    });
            assertThat(held.isHeld()).isTrue();
        }
        assertThat(pool.get().hasEndedInTime).isTrue();
        assertThat(thrown.get()).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void whatTheClientIsMadeOfOutlivesIt() throws Exception {
        CompletableFuture<OfJava.Pool> pool = new CompletableFuture<>();
        application
                .withUserConfiguration(OfJava.class)
                .withBean(CallsBack.class)
                .run(context -> {
                    pool.complete(context.getBean(OfJava.Pool.class));
                    pool.get().client = context.getBean(Belay.class);
                });
        assertThat(pool.get().isBehindTheClient).isTrue();
    }

    /** Has callbacks run by an executor. */
    static final class CallsBack implements BelayOptionsCustomizer {
        private final Executor executor;

        CallsBack(Executor executor) {
            this.executor = executor;
        }

        @Override
        public BelayOptions customize(BelayOptions options) {
            return options.withCallbackExecutor(executor);
        }
    }

    /** Runs what is given the client by a thread of its own; returns its end. */
    private static CompletableFuture<Void> onThread(Belay belay, Consumer<Belay> work) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                work.accept(belay);
                ended.complete(null);
            } catch (Throwable e) {
                ended.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return ended;
    }

    private static boolean areHoldersWaitedFor() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread ->
                        thread.getName().equals("belay-drain") && thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void holdersAreWaitedForWhileTheirConnectionsAreThereAndNotWhoComesLater() {
        CompletableFuture<Void> held = new CompletableFuture<>();
        List<String> heldAtTheLastPhase = new CopyOnWriteArrayList<>();
        application.run(context -> {
            Belay belay = context.getBean(Belay.class);
            LastPhase last = context.getBean(LastPhase.class);
            last.action = () -> belay.admin().holds().forEach(hold -> heldAtTheLastPhase.add(hold.name()));
            CompletableFuture<Void> ended = onThread(belay, client -> {
                try (Lease lease = client.lock("x").acquire()) {
                    held.complete(null);
                    await().atMost(Pace.patience()).until(ShutdownTest::areHoldersWaitedFor);
                    try (Lease later = client.lock("y").acquire()) {
                        assertThat(last.reached).isNotDone();
                        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
                        last.reached.join();
                        assertThat(later.isHeld()).isTrue();
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            held.get();
            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .close();
            ended.get();
        });
        assertThat(heldAtTheLastPhase).containsExactly("y");
    }

    @Test
    void whoHoldsAtTheEndHasTheRestOfTheTimeAndNobodyElseGetsIn() throws Exception {
        CompletableFuture<CompletableFuture<Void>> begun = new CompletableFuture<>();
        application.run(context -> {
            Belay belay = context.getBean(Belay.class);
            context.getBean(LastPhase.class).action = () -> {
                CompletableFuture<Void> held = new CompletableFuture<>();
                begun.complete(onThread(belay, client -> {
                    try (Lease lease = client.lock("x").acquire()) {
                        held.complete(null);
                        await().atMost(Pace.patience()).until(() -> isClosed(client));
                        assertThat(lease.isHeld()).isTrue();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }));
                held.orTimeout(Pace.seconds(), TimeUnit.SECONDS).join();
            };
        });
        begun.get().get();
    }

    private static boolean isClosed(Belay client) {
        try {
            client.lock("y").tryAcquire().ifPresent(Lease::close);
            return false;
        } catch (ClientClosedException e) {
            return true;
        }
    }
}
