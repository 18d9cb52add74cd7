package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belay.Belay;
import io.belay.BelayOptions;
import io.belay.Deadlock;
import io.belay.DeadlockException;
import io.belay.servers.Pace;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Methods whose callers wait for each other's locks: one gives up, and the other goes on. */
@Timeout(600)
class DeadlockedMethodsTest {
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Client extends Applications.Patient {
        @Bean
        static Belay belay() {
            return Belay.connect(
                    "memory:" + UUID.randomUUID(), BelayOptions.defaults().withDeadlockCheck(Duration.ofMillis(100)));
        }
    }

    static class Accounts {
        @Locked("account:#{#number}")
        public void change(int number, Runnable inside) {
            inside.run();
        }
    }

    private final CountDownLatch held = new CountDownLatch(2);

    /** Changes two accounts, the second one once both callers have their first. */
    private CompletableFuture<Void> transfer(Accounts accounts, int from, int to) {
        Runnable changes = () -> accounts.change(from, () -> {
            held.countDown();
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            accounts.change(to, () -> {});
        });
        // The common pool may have one thread only, and these wait for each other.
        return CompletableFuture.runAsync(changes, task -> new Thread(task).start());
    }

    @Test
    void oneOfTwoGivesUp() throws Exception {
        try (AnnotationConfigApplicationContext application = Applications.of(Client.class, Accounts.class)) {
            Accounts accounts = application.getBean(Accounts.class);
            CompletableFuture<Void> one = transfer(accounts, 7, 8);
            CompletableFuture<Void> other = transfer(accounts, 8, 7);
            CompletableFuture.allOf(one, other).handle((done, error) -> done).get(Pace.seconds(), TimeUnit.SECONDS);
            assertThat(List.of(one.isCompletedExceptionally(), other.isCompletedExceptionally()))
                    .containsExactlyInAnyOrder(true, false);
            assertThatThrownBy((one.isCompletedExceptionally() ? one : other)::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            DeadlockException.class,
                            e -> assertThat(Objects.requireNonNull(e.deadlock()).ring())
                                    .extracting(Deadlock.Edge::holds)
                                    .containsExactlyInAnyOrder("account:7", "account:8"));
            assertThat(application.getBean(Belay.class).admin().holds()).isEmpty();
        }
    }
}
