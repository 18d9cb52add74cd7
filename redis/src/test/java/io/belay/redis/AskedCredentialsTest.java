package io.belay.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.belay.servers.Pace;
import io.belay.spi.StoreException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** What goes wrong where an application gets its password is not told as a fault of Redis, and may be over soon. */
class AskedCredentialsTest {
    private static final String TOLD = "Redis at cache:6379 cannot be connected to: the credentials could not be had: ";

    private static List<Throwable> failures() {
        return List.of(
                new IllegalStateException("no role", new UnknownHostException("sts.example.com")),
                new ConnectException("Connection refused"),
                new SSLException("closing inbound before receiving peer's close_notify"),
                new IOException("Connection reset by peer"),
                new TimeoutException("of the vault's own"),
                new IllegalArgumentException("no role"),
                new NullPointerException());
    }

    private static StoreException told(RedisCredentialsProvider provider) {
        Connector connector =
                Redis.at("redis://cache").withCredentials(provider).connector();
        try {
            return connector
                    .failures()
                    .of(catchThrowable(connector.ask(commands -> commands.ping())::join), Duration.ofSeconds(1));
        } finally {
            connector.close();
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aFailureOfTheApplicationIsItsOwn(Throwable failure) {
        StoreException told = told(() -> Mono.error(failure));
        assertThat(told.isTemporary()).isTrue();
        assertThat(told).hasMessage(TOLD + Failures.reason(failure)).hasCause(failure);
    }

    @Test
    void soIsWhatItThrows() {
        StoreException told = told(() -> {
            throw new NoClassDefFoundError("com/example/Vault");
        });
        assertThat(told.isTemporary()).isTrue();
        assertThat(told).hasMessage(TOLD + "com/example/Vault");
    }

    @Test
    void whoTakesTooLongIsInterrupted() throws Exception {
        CompletableFuture<Void> interrupted = new CompletableFuture<>();
        RedisCredentialsProvider endless = RedisCredentialsProvider.from(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.complete(null);
            }
            return RedisCredentials.just("late", "late");
        });
        Failures failures = new Failures(Settings.parse("redis://cache"));
        CompletableFuture<RedisCredentials> asked = new AskedCredentials(endless, Duration.ofMillis(10)).ask(failures);
        assertThat(catchThrowable(() -> asked.get(Pace.seconds(), SECONDS)))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining(TOLD + "not within ");
        interrupted.get(Pace.seconds(), SECONDS);
    }

    /** Later connections are made on other threads, and what the application loads is to be found there, too. */
    @Test
    void whoIsAskedHasTheClassLoaderOfWhoConnectedAndNothingOfTheThreadThatAsks() throws Exception {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader connects = new URLClassLoader(new URL[0], before);
        Failures failures = new Failures(Settings.parse("redis://cache"));
        RedisCredentialsProvider told = RedisCredentialsProvider.from(() -> RedisCredentials.just(
                "" + tenant.get(), "" + (Thread.currentThread().getContextClassLoader() == connects)));
        Thread.currentThread().setContextClassLoader(connects);
        AskedCredentials asked;
        try {
            asked = new AskedCredentials(told, Pace.patience());
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        tenant.set("a tenant's");
        RedisCredentials seen = asked.ask(failures).get(Pace.seconds(), SECONDS);
        assertThat(seen.getUsername()).isEqualTo("null");
        assertThat(new String(seen.getPassword())).isEqualTo("true");
    }
}
