package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.ForwardingLease;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.ReleaseOutcome;
import io.belay.recipes.MultiLease;
import io.belay.recipes.MultiLock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The moments at which a lock comes as its subscriber leaves, and at which its release finds that it was lost. */
class ReactiveCallTest {
    /** Locks that are lost after the last look at them. */
    @Configuration(proxyBeanMethods = false)
    static class Losing extends Applications.Base {
        @Bean
        static LockDecorator losing(ObjectProvider<Belay> belay) {
            return new LateLosses() {
                @Override
                Lease changed(Lease lease) {
                    return new ForwardingLease(lease) {
                        @Override
                        public ReleaseOutcome release() {
                            belay.getObject().admin().forceRelease(name());
                            return super.release();
                        }

                        @Override
                        public CompletableFuture<ReleaseOutcome> releaseAsync() {
                            belay.getObject().admin().forceRelease(name());
                            return super.releaseAsync();
                        }
                    };
                }
            };
        }

        @Bean
        static Jobs jobs() {
            return new Jobs();
        }
    }

    static class Jobs {
        @Locked("x")
        public String plain() {
            return "done";
        }

        @Locked("x")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("done");
        }

        @Locked("x")
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @Locked("x")
        public Flux<String> flux() {
            return Flux.just("done", "and done");
        }
    }

    @Test
    void aLossThatTheReleaseFindsIsToldWhateverTheMethodReturns() {
        try (AnnotationConfigApplicationContext application = Applications.of(Losing.class)) {
            Jobs jobs = application.getBean(Jobs.class);
            Map<String, Supplier<?>> calls = Map.of(
                    "plain", jobs::plain,
                    "future", () -> jobs.future().join(),
                    "mono", () -> jobs.mono().block(),
                    "flux", () -> jobs.flux().collectList().block());
            calls.forEach((kind, call) -> {
                Throwable thrown = catchThrowable(call::get);
                assertThat(thrown instanceof CompletionException ? thrown.getCause() : thrown)
                        .as(kind)
                        .isInstanceOf(LeaseLostException.class);
            });
        }
    }

    @Test
    void locksThatComeAsTheirSubscriberLeavesAreGivenBack() {
        try (Belay belay = Belay.connect("memory:" + UUID.randomUUID())) {
            MultiLease locks = MultiLock.of(belay.lock("x")).tryAcquire().orElseThrow();
            CompletableFuture<Optional<MultiLease>> asked = new CompletableFuture<>();
            AtomicReference<Optional<MultiLease>> got = new AtomicReference<>();
            Disposable subscriber = ReactiveCall.acquired(() -> asked).subscribe(got::set);
            // It depends on the future after the subscriber does, and is called before it.
            var unused = asked.whenComplete((had, error) -> subscriber.dispose());
            asked.complete(Optional.of(locks));
            assertThat(got).hasNullValue();
            await().until(() -> !locks.isHeld());
        }
    }
}
