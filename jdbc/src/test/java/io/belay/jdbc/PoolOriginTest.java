package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.StoreMisconfiguredException;
import io.belay.servers.Pace;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that answer late, or hear no interrupt. */
class PoolOriginTest {
    private static final Duration BRIEF = Duration.ofMillis(20);

    private final CountDownLatch answers = new CountDownLatch(1);
    private final List<Thread> asking = new CopyOnWriteArrayList<>();

    /** As DBCP without a limit is while the database does not answer: the call goes on though its thread is interrupted. */
    private DataSource deaf() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    asking.add(Thread.currentThread());
                    while (true) {
                        try {
                            answers.await();
                            throw new SQLException("said by the test");
                        } catch (InterruptedException e) {
                            // It hears none.
                        }
                    }
                });
    }

    /** As one that chooses a tenant's database by the thread: a client opened for a request would be in that for good. */
    @Test
    void aSourceSeesNothingOfTheThreadThatOpensAClientButItsClassLoader() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader callers = new URLClassLoader(new URL[0], before);
        PoolOrigin origin = new PoolOrigin(
                () -> {
                    ClassLoader loader = Thread.currentThread().getContextClassLoader();
                    throw new SQLException(tenant.get() + " " + (loader == callers));
                },
                Duration.ofSeconds(Pace.seconds()));
        tenant.set("a tenant's");
        Thread.currentThread().setContextClassLoader(callers);
        try {
            assertThatThrownBy(() -> origin.connect(new Properties())).hasMessage("null true");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Whoever waits is interrupted, and the connection comes before the wait is given up. */
    @Test
    void aConnectionThatComesAsTheWaitEndsIsGivenBack() throws Exception {
        AtomicInteger open = new AtomicInteger();
        AtomicBoolean interrupted = new AtomicBoolean();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Connection connection = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    interrupted.set(Thread.currentThread().isInterrupted());
                    return method.getName().equals("close") ? open.decrementAndGet() : null;
                });
        PoolOrigin origin = new PoolOrigin(
                () -> {
                    asking.add(Thread.currentThread());
                    try {
                        answers.await();
                    } catch (InterruptedException e) {
                        throw new SQLException("nobody is to interrupt it", e);
                    }
                    open.incrementAndGet();
                    return connection;
                },
                Pace.patience());
        Thread caller =
                new Thread(() -> {
                    Throwable thrown = catchThrowable(() -> origin.connect(new Properties()));
                    failure.complete(
                            Thread.interrupted() ? thrown : new AssertionError("the interrupt is gone", thrown));
                }) {
                    @Override
                    public void interrupt() {
                        if (Thread.currentThread() == this) { // it notes for its own caller that it was interrupted
                            answers.countDown();
                            await().until(() -> !asking.get(0).isAlive());
                        }
                        super.interrupt();
                    }
                };
        caller.start();
        await().until(() -> !asking.isEmpty());
        caller.interrupt();
        assertThat(failure.get(Pace.seconds(), TimeUnit.SECONDS)).isInstanceOf(SQLTransientConnectionException.class);
        assertThat(asking).noneMatch(Thread::isAlive);
        assertThat(open).hasValue(0);
        assertThat(interrupted).as("interrupted as it was given back").isFalse();
    }

    /** As Spring's SingleConnectionDataSource, or one that wraps it each time: each would be in the middle of what the other does. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSourceOfOneConnectionIsRefused(boolean anew) throws Exception {
        try (Connection only = DriverManager.getConnection("jdbc:h2:mem:only")) {
            Connection shared = wrap(only);
            DataSource source = (DataSource) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) ->
                            !method.getName().equals("getConnection") ? false : anew ? wrap(only) : shared);
            assertThatThrownBy(() -> Belay.connect(Jdbc.in(source).withTablesMade(), BelayOptions.defaults()))
                    .isInstanceOf(StoreMisconfiguredException.class)
                    .hasMessageContaining(
                            "the given DataSource hands out one connection again and again, and Belay needs")
                    .hasMessageNotContaining("\n");
            assertThat(only.isClosed()).isFalse();
            assertThat(only.getAutoCommit()).isTrue();
            assertThat(only.getMetaData().getTables(null, null, "BELAY%", null).next())
                    .isFalse();
        }
    }

    private static Connection wrap(Connection only) {
        return (Connection) Proxy.newProxyInstance(
                PoolOriginTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> method.getName().equals("close") ? null : method.invoke(only, arguments));
    }

    @Test
    void aSourceThatHearsNoInterruptIsAskedByAFewThreadsOnly() {
        PoolOrigin origin = new PoolOrigin(deaf()::getConnection, BRIEF);
        for (int i = 0; i < 4; i++) {
            assertThatThrownBy(() -> origin.connect(new Properties()))
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessage("the given source had no connection within 20 ms");
        }
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> origin.connect(new Properties()))
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasMessage("the given source has not answered earlier requests for 4 connections");
        }
        await().until(() -> asking.size() >= 4);

        answers.countDown();
        await().until(() -> asking.stream().noneMatch(Thread::isAlive));
        assertThat(asking).hasSize(4);
        assertThatThrownBy(() -> origin.connect(new Properties())).hasMessageNotContaining("earlier");
    }
}
