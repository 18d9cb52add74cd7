package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.Pace;
import io.belay.servers.RedisServer;
import io.belay.servers.RedisServer.Version;
import io.belay.support.Log;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** A lock that is given back while the store is silent: the call has ended well, so only the log can tell. */
class UnansweredReleaseTest {
    private static RedisServer server;

    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Client {
        @Bean(destroyMethod = "close")
        static Belay belay() {
            return Belay.connect(server.url());
        }

        @Bean
        static Works works() {
            return new Works();
        }
    }

    static class Works {
        @Locked("now:#{#id}")
        public String now(int id) throws Exception {
            server.stop();
            return "done";
        }

        @Locked("later:#{#id}")
        public CompletableFuture<String> later(int id) throws Exception {
            server.stop();
            return CompletableFuture.completedFuture("done");
        }

        @Locked("flow:#{#id}")
        public Mono<String> flow(int id) {
            return Mono.fromCallable(() -> {
                server.stop();
                return "done";
            });
        }
    }

    @Test
    void isLoggedWhereTheCallHasEndedWell() throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try (RedisServer redis = RedisServer.start(Version.V7_0)) {
            server = redis;
            try (var context = new AnnotationConfigApplicationContext(Client.class)) {
                System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
                Works works = context.getBean(Works.class);
                assertThat(works.now(1)).isEqualTo("done");
                redis.resume();
                assertThat(works.later(2).get(Pace.seconds(), TimeUnit.SECONDS)).isEqualTo("done");
                redis.resume();
                assertThat(works.flow(3).block(Pace.patience())).isEqualTo("done");
                redis.resume();
                Log.flush(Pace.patience());
            }
        } finally {
            System.setErr(before);
        }
        assertThat(log.toString(StandardCharsets.UTF_8).lines())
                .filteredOn(line -> line.contains("was given back, but nobody knows"))
                .satisfiesExactly(
                        line -> assertThat(line).contains("The lease of 'now:1'"),
                        line -> assertThat(line).contains("The lease of 'later:2'"),
                        line -> assertThat(line).contains("The lease of 'flow:3'"));
    }
}
