package io.belay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belay.Belay;
import io.belay.Lease;
import io.belay.LeaseLostException;
import io.belay.OwnHold;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reactive transactions under a lock whose loss is told to nobody in time: they find out before they commit. */
@Tag("transactions")
class ReactiveTransactionTest {
    @Configuration(proxyBeanMethods = false)
    @EnableLocked
    @EnableTransactionManagement
    static class Application {
        @Bean
        static Belay belay() {
            return Belay.connect("memory:" + UUID.randomUUID());
        }

        @Bean
        static LockDecorator late() {
            return new LateLosses();
        }

        @Bean
        ConnectionFactory connections() {
            return ConnectionFactories.get("r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1");
        }

        @Bean
        DatabaseClient database(ConnectionFactory connections) {
            return DatabaseClient.create(connections);
        }

        @Bean
        SlowCommits transactionManager(ConnectionFactory connections) {
            return new SlowCommits(connections);
        }

        @Bean
        ReactiveShop.Sales sales(DatabaseClient database) {
            return new ReactiveShop.Sales(database);
        }

        @Bean
        ReactiveShop shop(Belay belay, ReactiveShop.Sales sales, ReactiveTransactionManager manager) {
            return new ReactiveShop(belay, sales, TransactionalOperator.create(manager));
        }
    }

    /** Transactions whose commits may take long. */
    static final class SlowCommits extends R2dbcTransactionManager {
        private static final long serialVersionUID = 1;

        private transient volatile Mono<Void> before = Mono.empty();

        SlowCommits(ConnectionFactory connections) {
            super(connections);
        }

        @Override
        protected Mono<Void> doCommit(
                TransactionSynchronizationManager synchronizations, GenericReactiveTransaction transaction) {
            return before.then(Mono.defer(() -> super.doCommit(synchronizations, transaction)));
        }
    }

    private final AnnotationConfigApplicationContext application = Applications.of(Application.class);
    private final DatabaseClient database = application.getBean(DatabaseClient.class);
    private final ReactiveShop shop = application.getBean(ReactiveShop.class);

    @BeforeEach
    void createTheTable() {
        database.sql(Ledger.TABLE).then().block();
    }

    @AfterEach
    void close() {
        application.close();
    }

    private long sold() {
        return database.sql("SELECT count(*) FROM sold")
                .map(row -> row.get(0, Long.class))
                .one()
                .block();
    }

    private List<String> held() {
        return application.getBean(Belay.class).admin().holds().stream()
                .map(OwnHold::name)
                .toList();
    }

    private void run(Function<ReactiveShop, Publisher<?>> call, boolean lost) {
        database.sql("DELETE FROM sold").then().block();
        shop.loses(lost);
        Flux.from(call.apply(shop)).blockLast();
    }

    @Test
    void noneCommitsUnderALockThatIsLost() {
        Map<String, Function<ReactiveShop, Publisher<?>>> shapes = new LinkedHashMap<>();
        shapes.put("alone", ReactiveShop::alone);
        shapes.put("several", ReactiveShop::several);
        shapes.put("facade", ReactiveShop::facade);
        shapes.put("facadeOfJakarta", ReactiveShop::facadeOfJakarta);
        shapes.put("apart", ReactiveShop::apart);
        shapes.put("outer", called -> called.outer(called));
        shapes.put("ofItsOwn", ReactiveShop::ofItsOwn);
        shapes.forEach((shape, call) -> {
            run(call, false);
            assertThat(sold()).as(shape).isPositive();
            assertThatThrownBy(() -> run(call, true)).as(shape).isInstanceOf(LeaseLostException.class);
            assertThat(sold()).as(shape).isZero();
        });
    }

    /** As the page says. */
    @Test
    void ofATransactionalOperatorOnlyTheCallerIsTold() {
        assertThatThrownBy(() -> run(ReactiveShop::operator, true)).isInstanceOf(LeaseLostException.class);
        assertThat(sold()).isOne();
    }

    /** As the page says. */
    @Test
    void ofOneThatABlockingMethodAwaitsOnlyThatIsTold() {
        shop.loses(true);
        assertThatThrownBy(shop::awaiting).isInstanceOf(LeaseLostException.class);
        assertThat(sold()).isOne();
    }

    @Test
    void aLossAfterTheLastCommitIsTold() {
        assertThatThrownBy(() -> run(ReactiveShop::afterCommit, true)).isInstanceOf(LeaseLostException.class);
        assertThat(sold()).isOne();
        assertThatThrownBy(() -> run(called -> called.again(called, false), true))
                .isInstanceOf(LeaseLostException.class);
        assertThat(sold()).isOne();
    }

    @Test
    void insideOfATransactionOnlyOneOfItsOwnIsLetIn() {
        TransactionalOperator operator =
                TransactionalOperator.create(application.getBean(ReactiveTransactionManager.class));
        run(called -> called.ofItsOwn().as(operator::transactional), false);
        assertThat(sold()).isOne();
        assertThatThrownBy(() -> run(called -> called.alone().as(operator::transactional), false))
                .hasMessageContaining("was called inside a transaction");
        assertThat(sold()).isZero();
        await().until(() -> application.getBean(Belay.class).admin().holds().isEmpty());
    }

    /** As a client does that leaves, or a timeout. */
    @ParameterizedTest
    @MethodSource("cancelled")
    void whoCancelsACommitHasTheLocksKeptUntilItHasEnded(
            BiConsumer<ReactiveShop, BaseSubscriber<Void>> call, List<String> locks) {
        CompletableFuture<Void> go = new CompletableFuture<>();
        CompletableFuture<Void> committing = new CompletableFuture<>();
        CompletableFuture<Void> commit = new CompletableFuture<>();
        application.getBean(SlowCommits.class).before =
                Mono.fromFuture(commit, true).doOnSubscribe(begun -> committing.complete(null));
        shop.waitsFor(go);
        BaseSubscriber<Void> subscriber = new BaseSubscriber<>() {};
        call.accept(shop, subscriber);
        await().until(() -> go.getNumberOfDependents() > 0);
        go.complete(null);
        committing.join();
        subscriber.cancel();
        assertThat(held()).containsExactlyInAnyOrderElementsOf(locks);
        commit.complete(null);
        await().until(() -> held().isEmpty());
        assertThat(sold()).isOne();
    }

    private static Stream<Arguments> cancelled() {
        BiConsumer<ReactiveShop, BaseSubscriber<Void>> alone =
                (shop, by) -> shop.alone().subscribe(by);
        BiConsumer<ReactiveShop, BaseSubscriber<Void>> nested =
                (shop, by) -> shop.outer(shop).subscribe(by);
        BiConsumer<ReactiveShop, BaseSubscriber<Void>> within =
                (shop, by) -> shop.around(() -> shop.alone().subscribe(by));
        return Stream.of(
                Arguments.of(alone, List.of("shop")),
                Arguments.of(nested, List.of("shop", "other")),
                Arguments.of(within, List.of("shop")));
    }

    /** The call around has given its lock back by itself before the transaction begins. */
    @Test
    void whatNobodyAwaitsCommitsAfterTheCallAroundIt() throws Exception {
        AtomicReference<CompletableFuture<Void>> told = new AtomicReference<>();
        try (Lease other = application.getBean(Belay.class).lock("other").acquire()) {
            shop.around(() -> told.set(shop.inner().toFuture()));
            assertThat(held()).containsExactly(other.name());
        }
        told.get().join();
        assertThat(sold()).isOne();
    }

    @Test
    void aTransactionThatHasBegunUnderTheLockOfTheCallAroundItKeepsThat() {
        CompletableFuture<Void> go = new CompletableFuture<>();
        AtomicReference<CompletableFuture<Void>> told = new AtomicReference<>();
        shop.waitsFor(go);
        shop.around(() -> {
            told.set(shop.inner().toFuture());
            await().until(() -> go.getNumberOfDependents() > 0);
        });
        assertThat(held()).containsExactlyInAnyOrder("shop", "other");
        go.complete(null);
        told.get().join();
        assertThat(sold()).isOne();
        await().until(() -> held().isEmpty());
    }
}
