package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.OwnHold;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Reactive calls that nobody awaits inside of one with the same lock, and that come or go on when that has returned. */
class LateCallsTest {
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    static class Application extends Applications.Patient {
        @Bean
        static Belay belay() {
            return Belay.connect("memory:" + UUID.randomUUID());
        }

        @Bean
        Calls calls() {
            return new Calls();
        }

        @Bean
        Leader leader() {
            return new Leader();
        }
    }

    static class Calls {
        private final AtomicInteger done = new AtomicInteger();

        public int done() {
            return done.get();
        }

        @Locked("x")
        public void blocking(Runnable body) {
            body.run();
        }

        @Locked("x")
        public Mono<Void> reactive(Mono<Void> body) {
            return body;
        }

        @Locked("y")
        public Mono<Void> other(Mono<Void> body) {
            return body;
        }

        @Locked("#{#names}")
        public Mono<Void> touch(List<String> names, Mono<Void> body) {
            return body.then(Mono.fromRunnable(done::incrementAndGet));
        }
    }

    static class Leader {
        @LeaderOnly(value = "lead", otherwise = Locked.Otherwise.THROW)
        public void leading(Runnable body) {
            body.run();
        }
    }

    /** A call that subscribes to something inside of it, and does not await that. */
    private interface Around {
        CompletableFuture<Void> call(Calls calls, Mono<Void> inside);
    }

    private static CompletableFuture<Void> inBlocking(Calls calls, Mono<Void> inside) {
        AtomicReference<CompletableFuture<Void>> told = new AtomicReference<>();
        calls.blocking(() -> told.set(calls.other(inside).toFuture()));
        return told.get();
    }

    /** With the context of the call, as applications hand on those of logs and of security. */
    private static CompletableFuture<Void> inReactive(Calls calls, Mono<Void> inside) {
        AtomicReference<CompletableFuture<Void>> told = new AtomicReference<>();
        calls.reactive(Mono.deferContextual(context -> {
                    told.set(inside.contextWrite(context).toFuture());
                    return Mono.empty();
                }))
                .block();
        return told.get();
    }

    static Stream<Arguments> late() {
        Around blocking = LateCallsTest::inBlocking;
        Around reactive = LateCallsTest::inReactive;
        return Stream.of(List.of("x"), List.of("x", "z"))
                .flatMap(names -> Stream.of(Arguments.of(blocking, names), Arguments.of(reactive, names)));
    }

    private final AnnotationConfigApplicationContext application = Applications.of(Application.class);
    private final Belay belay = application.getBean(Belay.class);
    private final Calls calls = application.getBean(Calls.class);
    private final CompletableFuture<Void> go = new CompletableFuture<>();

    @AfterEach
    void close() {
        application.close();
    }

    private List<String> held() {
        return belay.admin().holds().stream()
                .map(OwnHold::name)
                .filter(name -> !name.equals("lead"))
                .toList();
    }

    private Mono<Void> whenItMay() {
        return Mono.fromFuture(go, true);
    }

    @ParameterizedTest
    @MethodSource("late")
    void whatComesWhenTheCallAroundIsOverTakesTheLockAnew(Around around, List<String> names) throws Exception {
        Mono<Void> touch = Mono.defer(() -> calls.touch(names, Mono.empty()));
        CompletableFuture<Void> told = around.call(calls, whenItMay().then(touch));
        try (Lease since = belay.lock("x").acquire()) {
            go.complete(null);
            await().until(() -> told.isDone()
                    || belay.admin().waits().stream()
                            .anyMatch(wait -> wait.name().equals(since.name())));
            assertThat(calls.done()).isZero();
        }
        told.join();
        assertThat(calls.done()).isOne();
        await().until(() -> held().isEmpty());
    }

    @Test
    void whatHasBegunInsideOfTheCallAroundHasItsLockKept() {
        AtomicReference<CompletableFuture<Void>> told = new AtomicReference<>();
        calls.blocking(() -> {
            told.set(calls.other(Mono.defer(() -> calls.touch(List.of("x"), whenItMay())))
                    .toFuture());
            await().until(() -> go.getNumberOfDependents() > 0);
        });
        assertThat(held()).containsExactlyInAnyOrder("x", "y");
        go.complete(null);
        told.get().join();
        assertThat(calls.done()).isOne();
        await().until(() -> held().isEmpty());
    }

    @Test
    void whatComesAfterALeadersMethodLooksAtTheLead() {
        Leader leader = application.getBean(Leader.class);
        AtomicReference<CompletableFuture<Void>> told = new AtomicReference<>();
        AtomicReference<Lease> lead = new AtomicReference<>();
        Mono<Void> touch = Mono.defer(() -> calls.touch(List.of("lead"), Mono.empty()));
        await().ignoreException(NotLeaderException.class).until(() -> {
            leader.leading(() -> {
                lead.set(CurrentLease.get());
                told.set(calls.other(whenItMay().then(touch)).toFuture());
            });
            return true;
        });
        belay.admin().forceRelease("lead");
        await().until(() -> !lead.get().isHeld()); // and the next term begins
        go.complete(null);
        assertThatThrownBy(told.get()::join).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(calls.done()).isZero();
    }
}
