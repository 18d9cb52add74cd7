package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.LeaseLostException;
import io.belay.OwnHold;
import io.belay.servers.Pace;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Futures of methods with a lock whose loss is told to nobody in time, and those of calls inside of such methods. */
class LockedFuturesTest {
    @Configuration(proxyBeanMethods = false)
    static class Application extends Applications.InnerTransactions {
        @Bean
        static LockDecorator late() {
            return new LateLosses();
        }

        @Bean
        Futures futures() {
            return new Futures();
        }

        @Bean
        Errors errors() {
            return new Errors();
        }
    }

    static class Futures {
        private final AtomicInteger calls = new AtomicInteger();

        @Autowired
        @Lazy
        Futures self;

        public int calls() {
            return calls.get();
        }

        @Locked("x")
        public void plain() {
            calls.incrementAndGet();
        }

        @Locked("x")
        public CompletableFuture<String> later(CompletableFuture<String> result) {
            return result;
        }

        @Locked("x")
        public Mono<String> reactive(CompletableFuture<String> result) {
            calls.incrementAndGet();
            return Mono.fromFuture(result);
        }

        @Locked(value = "x", mode = Locked.Mode.READ)
        public Mono<String> reading() {
            return Mono.just("read");
        }

        @Locked("x")
        public void around(Consumer<Futures> body) {
            body.accept(self);
        }

        @Locked("x")
        public CompletableFuture<String> aroundLater(Consumer<Futures> body, CompletableFuture<String> result) {
            body.accept(self);
            return result;
        }

        @Locked(value = "x", inTransaction = Locked.InTransaction.HOLD_UNTIL_COMPLETION)
        public Object inTransaction(CompletableFuture<String> result) {
            return result;
        }

        @Unguarded
        public void unguarded(Consumer<Futures> body) {
            body.accept(self);
        }
    }

    @Locked("x")
    static class Errors {
        private final AtomicInteger calls = new AtomicInteger();

        public int calls() {
            return calls.get();
        }

        @Unguarded
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void record() {
            calls.incrementAndGet();
        }

        @Unguarded
        public CompletableFuture<String> recordLater(CompletableFuture<String> result) {
            return result;
        }
    }

    /** A bean in a scope, which others call by a proxy that finds it. */
    @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class InScope {
        @Async
        @Locked(value = "x", longestWait = "1s")
        public CompletableFuture<String> elsewhere() {
            return CompletableFuture.completedFuture("sold");
        }
    }

    private final AnnotationConfigApplicationContext application = Applications.of(Application.class);
    private final Belay belay = application.getBean(Belay.class);
    private final Futures futures = application.getBean(Futures.class);
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final AtomicReference<CompletableFuture<String>> inner = new AtomicReference<>();

    @AfterEach
    void close() {
        application.close();
    }

    private List<String> held() {
        return belay.admin().holds().stream().map(OwnHold::name).toList();
    }

    private void callLater(Futures self) {
        inner.set(self.later(result));
    }

    private void assertIsKeptUntilTheResultIsThere() {
        assertThat(held()).containsExactly("x");
        result.complete("sold");
        assertThat(inner.get().join()).isEqualTo("sold");
        await().until(() -> held().isEmpty());
    }

    /** The lock is taken once: by the thread on which the method runs. */
    @Test
    void anAsynchronousMethodOfABeanInAScopeDoesNotWaitForItself() {
        application.register(InScope.class);
        assertThat(application.getBean(InScope.class).elsewhere())
                .succeedsWithin(Pace.patience())
                .isEqualTo("sold");
    }

    @Test
    void aLossThatIsNotToldYetIsTheFailureOfTheFuture() {
        CompletableFuture<String> told = futures.later(result);
        Shop.lose(belay, "x");
        result.complete("sold");
        assertThatThrownBy(told::join).hasCauseInstanceOf(LeaseLostException.class);
    }

    /** As of a library's own kind. */
    @Test
    void aFutureOfWhoseEndNobodyCanHearLeavesNoLockBehind() {
        CompletableFuture<String> deaf = new CompletableFuture<>() {
            @Override
            public <U> CompletableFuture<U> thenApply(Function<? super String, ? extends U> next) {
                throw new IllegalStateException("a test's");
            }
        };
        assertThatThrownBy(() -> futures.later(deaf)).hasMessage("a test's");
        assertThat(held()).isEmpty();
    }

    @Test
    void aCallInsideOfOneThatHasLostItsLockIsNotMade() {
        assertThatThrownBy(() -> futures.around(self -> {
                    Shop.lose(belay, "x");
                    self.plain();
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(futures.calls()).isZero();
    }

    @Test
    void aCallInsideThatIsUnguardedIsMadeAllTheSame() {
        Errors errors = application.getBean(Errors.class);
        assertThatThrownBy(() -> futures.around(self -> {
                    Shop.lose(belay, "x");
                    errors.record();
                    inner.set(errors.recordLater(CompletableFuture.completedFuture("recorded")));
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(errors.calls()).isEqualTo(1);
        assertThat(inner.get().join()).isEqualTo("recorded");
    }

    @Test
    void aCallInsideOfOneThatIsUnguardedIsMadeAllTheSame() {
        assertThatThrownBy(() -> futures.around(self -> {
                    Shop.lose(belay, "x");
                    self.unguarded(Futures::plain);
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(futures.calls()).isEqualTo(1);
    }

    /** The lock of a future is given back by whoever completes that, and not by the thread that waits for it next. */
    @Test
    void aThreadThatComesAgainBeforeItsFutureIsThereWaitsForThat() {
        CompletableFuture<String> first = futures.later(result);
        CompletableFuture<Void> completes = CompletableFuture.runAsync(() -> {
            await().until(() -> !belay.admin().waits().isEmpty());
            result.complete("sold");
        });
        CompletableFuture<String> second = futures.later(CompletableFuture.completedFuture("sold again"));
        assertThat(first.join()).isEqualTo("sold");
        assertThat(second.join()).isEqualTo("sold again");
        completes.join();
    }

    @Test
    void theLockIsKeptUntilTheFutureOfACallInsideIsThere() {
        futures.around(this::callLater);
        assertIsKeptUntilTheResultIsThere();
    }

    @Test
    void theLockIsKeptForThatAlsoByACallThatFails() {
        assertThatThrownBy(() -> futures.around(self -> {
                    callLater(self);
                    throw new IllegalStateException("after the call inside");
                }))
                .hasMessage("after the call inside");
        assertIsKeptUntilTheResultIsThere();
    }

    @Test
    void theLockIsKeptForThatAlsoByACallWhoseOwnFutureIsThereBefore() {
        CompletableFuture<String> outer =
                futures.aroundLater(this::callLater, CompletableFuture.completedFuture("done"));
        assertIsKeptUntilTheResultIsThere();
        assertThat(outer.join()).isEqualTo("done");
    }

    @Test
    void theLockIsKeptForThatAlsoAfterTheTransactionThatEndsTheHold() {
        new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> callInTransaction());
        assertIsKeptUntilTheResultIsThere();
    }

    @SuppressWarnings("unchecked") // it is what the method returned
    private void callInTransaction() {
        inner.set((CompletableFuture<String>) futures.inTransaction(result));
    }

    @Test
    void aFutureThatIsJoinedInsideKeepsNothing() {
        futures.around(self -> {
            callLater(self);
            result.complete("sold");
            assertThat(inner.get().join()).isEqualTo("sold");
        });
        assertThat(held()).isEmpty();
    }

    @Test
    void aFutureThatAnotherThreadHasCompletedInsideKeepsNothing() {
        CompletableFuture<Void> returned = new CompletableFuture<>();
        AtomicReference<CompletableFuture<Void>> completes = new AtomicReference<>();
        futures.around(self -> {
            callLater(self);
            // What else waits for it may hold up the thread that tells it.
            var unused = inner.get().thenRun(returned::join);
            completes.set(CompletableFuture.runAsync(() -> result.complete("sold")));
            await().until(inner.get()::isDone); // who joins it may run what that thread is to be held up by
        });
        List<String> held = held();
        returned.complete(null);
        completes.get().join();
        assertThat(held).isEmpty();
    }

    @Test
    void aFutureInsideIsToldBesideOthersThatAreNotThere() {
        futures.around(self -> {
            callLater(self);
            assertThat(self.later(CompletableFuture.completedFuture("bought")).join())
                    .isEqualTo("bought");
        });
        assertIsKeptUntilTheResultIsThere();
    }

    @Test
    void aLossAfterTheOuterCallIsTheFailureOfTheFutureInside() {
        futures.around(this::callLater);
        Shop.lose(belay, "x");
        result.complete("sold");
        assertThatThrownBy(inner.get()::join).hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void whatABlockingCallAwaitsGoesOnUnderItsLock() {
        futures.around(self -> {
            assertThat(self.reactive(CompletableFuture.completedFuture("sold")).block())
                    .isEqualTo("sold");
            callLater(self);
            assertThat(self.reactive(CompletableFuture.supplyAsync(() -> "sold later"))
                            .block())
                    .isEqualTo("sold later");
            result.complete("sold");
            assertThatThrownBy(self.reading()::block)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the lock 'x' is held by an outer call of this thread, in another mode");
        });
        assertThat(held()).isEmpty();
    }

    private void subscribe(Futures self) {
        inner.set(self.reactive(result).toFuture());
    }

    @Test
    void theLockIsKeptUntilWhatWasSubscribedToInsideIsThere() {
        futures.around(this::subscribe);
        assertIsKeptUntilTheResultIsThere();
    }

    @Test
    void aLossAfterTheOuterCallIsTheFailureOfWhatWasSubscribedToInside() {
        futures.around(this::subscribe);
        Shop.lose(belay, "x");
        result.complete("sold");
        assertThatThrownBy(inner.get()::join).hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void whoCancelsWhatWasSubscribedToInsideHasTheLockGivenBack() {
        futures.around(this::subscribe);
        assertThat(held()).containsExactly("x");
        inner.get().cancel(true);
        await().until(() -> held().isEmpty());
    }

    @Test
    void whatIsSubscribedToInsideOfOneThatHasLostItsLockIsNotBegun() {
        assertThatThrownBy(() -> futures.around(self -> {
                    Shop.lose(belay, "x");
                    Mono<String> inside = self.reactive(CompletableFuture.completedFuture("sold"));
                    assertThatThrownBy(inside::block).isInstanceOf(LeaseLostException.class);
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(futures.calls()).isZero();
    }

    @Test
    void aFailureInsideIsToldAsItIs() {
        futures.around(this::callLater);
        result.completeExceptionally(new IllegalStateException("sold out"));
        assertThatThrownBy(inner.get()::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("sold out");
        await().until(() -> held().isEmpty());
    }

    private void assertIsKeptUntilItsWorkIsDone(CompletableFuture<String> cancelled) {
        cancelled.cancel(true);
        assertThat(result).isNotDone();
        assertThat(held()).containsExactly("x");
        result.complete("sold");
        await().until(() -> held().isEmpty());
    }

    /** A future that is cancelled stops nothing: what it stands for may be writing. */
    @Test
    void whoCancelsAFutureHasTheLockKeptUntilItsWorkIsDone() {
        assertIsKeptUntilItsWorkIsDone(futures.later(result));
    }

    @Test
    void whoCancelsTheFutureOfACallInsideHasTheLockKeptUntilItsWorkIsDone() {
        futures.around(this::callLater);
        assertIsKeptUntilItsWorkIsDone(inner.get());
    }
}
