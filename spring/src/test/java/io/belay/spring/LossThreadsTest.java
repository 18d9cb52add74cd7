package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.servers.Pace;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** What an application does about a loss may block, and keeps no other loss from being told. */
class LossThreadsTest {
    @Configuration(proxyBeanMethods = false)
    static class Application extends Applications.Base {
        @Bean
        Endless endless() {
            return new Endless();
        }
    }

    static class Endless {
        @Locked("x")
        public CompletableFuture<String> later() {
            return new CompletableFuture<>();
        }

        @Locked("y")
        public Mono<String> reactive() {
            return Mono.never();
        }
    }

    @Test
    void noThreadOfTheNoticesRunsWhatFollowsALoss() throws Exception {
        try (AnnotationConfigApplicationContext application = Applications.of(Application.class)) {
            Endless endless = application.getBean(Endless.class);
            Belay belay = application.getBean(Belay.class);
            CompletableFuture<String> blocking =
                    endless.later().exceptionally(loss -> Thread.currentThread().getName());
            CompletableFuture<String> reactive = endless.reactive()
                    .onErrorResume(loss ->
                            Mono.fromSupplier(() -> Thread.currentThread().getName()))
                    .toFuture();
            await().until(() -> belay.admin().holds().size() == 2);
            List.of("x", "y").forEach(belay.admin()::forceRelease);
            for (CompletableFuture<String> thread : List.of(blocking, reactive)) {
                assertThat(thread.get(Pace.seconds(), TimeUnit.SECONDS)).doesNotStartWith("belay-notice");
            }
        }
    }
}
