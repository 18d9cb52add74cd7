package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LeaseLostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** The order in which locks and transactions begin and end, wherever the transactions' advisor stands. */
class OrderOfEventsTest {
    private static final List<String> DONE =
            List.of("begin held", "fence 1 held", "body held", "committed held", "end free");
    private static final List<String> UNDONE =
            List.of("begin held", "fence 1 held", "body held", "rolled back free", "end free");

    private static void with(Class<?> configuration, BiConsumer<Sale, AnnotationConfigApplicationContext> body) {
        try (AnnotationConfigApplicationContext application = Applications.of(configuration)) {
            body.accept(application.getBean(Sale.class), application);
        }
    }

    private static Sale target(Sale sale) {
        return (Sale) AopProxyUtils.getSingletonTarget(sale);
    }

    @ParameterizedTest
    @ValueSource(classes = {Applications.OuterTransactions.class, Applications.InnerTransactions.class})
    void theLockLiesAroundTheTransaction(Class<?> configuration) {
        with(configuration, (sale, application) -> {
            assertThat(sale.plain(7)).contains(Thread.currentThread().getName());
            assertThat(target(sale).events()).isEqualTo(DONE);
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Applications.OuterTransactions.class, Applications.InnerTransactions.class})
    void aLeaseThatIsLostRollsBack(Class<?> configuration) {
        with(configuration, (sale, application) -> {
            target(sale).within = () -> {
                Lease lease = CurrentLease.get();
                application.getBean(Belay.class).admin().forceRelease(Sale.STOCK);
                await().until(() -> !lease.isHeld());
            };
            assertThatThrownBy(() -> sale.plain(7)).isInstanceOf(LeaseLostException.class);
            assertThat(target(sale).events()).isEqualTo(UNDONE);
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Applications.OuterTransactions.class, Applications.InnerTransactions.class})
    void anAsynchronousCallLocksOnItsThread(Class<?> configuration) {
        with(configuration, (sale, application) -> {
            assertThat(sale.elsewhere(7).join())
                    .doesNotContain(Thread.currentThread().getName());
            await().until(() -> application.getBean(Belay.class).admin().holds().isEmpty());
            assertThat(target(sale).events()).isEqualTo(DONE);
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Applications.OuterTransactions.class, Applications.InnerTransactions.class})
    void eachAttemptLocksAnew(Class<?> configuration) {
        with(configuration, (sale, application) -> {
            assertThat(sale.again(7)).isEqualTo("sold");
            assertThat(target(sale).events())
                    .containsExactly(
                            "begin held",
                            "fence 1 held",
                            "body held",
                            "rolled back held",
                            "begin held",
                            "fence 1 held",
                            "body held",
                            "committed held",
                            "end free");
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Applications.OuterTransactions.class, Applications.InnerTransactions.class})
    void aFutureHoldsTheLockUntilItIsComplete(Class<?> configuration) {
        with(configuration, (sale, application) -> {
            CompletableFuture<String> result = new CompletableFuture<>();
            CompletableFuture<String> told = sale.later(7, result);
            target(sale).note("returned");
            result.complete("sold");
            assertThat(told.join()).isEqualTo("sold");
            assertThat(target(sale).events())
                    .containsExactly(
                            "begin held", "fence 1 held", "body held", "committed held", "returned held", "end free");
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Applications.OuterTransactions.class, Applications.InnerTransactions.class})
    void aFutureFailsWhenItsLeaseIsLost(Class<?> configuration) {
        with(configuration, (sale, application) -> {
            CompletableFuture<String> told = sale.later(7, new CompletableFuture<>());
            application.getBean(Belay.class).admin().forceRelease(Sale.STOCK);
            assertThatThrownBy(told::join).hasCauseInstanceOf(LeaseLostException.class);
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Applications.OuterTransactions.class, Applications.InnerTransactions.class})
    void aMonoLocksWhenItIsSubscribedTo(Class<?> configuration) {
        with(configuration, (sale, application) -> {
            var mono = sale.mono(7);
            target(sale).note("returned");
            StepVerifier.create(mono.repeat(1)).expectNextCount(2).verifyComplete();
            assertThat(target(sale).events())
                    .containsExactly(
                            "returned free",
                            "begin held",
                            "body held",
                            "committed held",
                            "begin held",
                            "body held",
                            "committed held",
                            "end free");
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Applications.OuterTransactions.class, Applications.InnerTransactions.class})
    void aFluxHoldsTheLockToItsEndAndFailsWhenItIsLost(Class<?> configuration) {
        with(configuration, (sale, application) -> {
            Belay belay = application.getBean(Belay.class);
            StepVerifier.create(sale.flux(7, Flux.just("a", "b")))
                    .expectNextCount(3)
                    .verifyComplete();
            StepVerifier.create(sale.flux(7, Flux.never()))
                    .expectNextCount(1)
                    .then(() -> belay.admin().forceRelease(Sale.STOCK))
                    .verifyError(LeaseLostException.class);
            StepVerifier.create(sale.flux(7, Flux.never()))
                    .expectNextCount(1)
                    .thenCancel()
                    .verify();
            await().until(() -> belay.admin().holds().isEmpty());
            // Nothing of what was taken away or given up is committed.
            assertThat(target(sale).events())
                    .filteredOn(event -> event.startsWith("committed"))
                    .hasSize(1);
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Applications.OuterTransactions.class, Applications.InnerTransactions.class})
    void insideOfATransactionItIsRefusedOrHeldToItsEnd(Class<?> configuration) {
        with(configuration, (sale, application) -> {
            TransactionTemplate transaction =
                    new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> sale.plain(7)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Sale.plain")
                    .hasMessageContaining("put @Locked on the method that begins the transaction");
            transaction.executeWithoutResult(status -> {
                sale.joining();
                sale.joining();
                target(sale).note("returned");
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        target(sale).note("has committed");
                    }
                });
            });
            assertThat(target(sale).events())
                    .containsExactly(
                            "begin free",
                            "rolled back free",
                            "begin free",
                            "fence 1 held",
                            "body held",
                            "fence 1 held",
                            "body held",
                            "returned held",
                            "has committed held",
                            "committed free", // which is told last of all
                            "end free");
        });
    }
}
