package io.belay.spring;

import io.belay.Belay;
import java.util.concurrent.CompletableFuture;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A bean whose methods take locks, and sell in reactive transactions. */
public class ReactiveShop {
    private final Belay belay;
    private final Sales sales;
    private final TransactionalOperator transactions;
    private volatile Runnable point = () -> {};
    private volatile Mono<Void> pause = Mono.empty();

    ReactiveShop(Belay belay, Sales sales, TransactionalOperator transactions) {
        this.belay = belay;
        this.sales = sales;
        this.transactions = transactions;
    }

    /** Has the lock lost at the moment that matters, or not. */
    void loses(boolean lost) {
        point = lost ? () -> Shop.lose(belay, "shop") : () -> {};
    }

    /** Has sales wait for something before they commit. */
    void waitsFor(CompletableFuture<Void> go) {
        pause = Mono.fromFuture(go, true);
    }

    @Locked("shop")
    @Transactional
    public Mono<Void> alone() {
        return sales.sell(point).then(pause);
    }

    @Locked("shop")
    @Transactional
    public Flux<Integer> several() {
        return Flux.just(1, 2)
                .concatMap(piece -> sales.sell(() -> {}).thenReturn(piece))
                .doOnComplete(point::run);
    }

    @Locked("shop")
    public Mono<Void> facade() {
        return sales.required(point);
    }

    @Locked("shop")
    public Mono<Void> facadeOfJakarta() {
        return sales.ofJakarta(point);
    }

    @Locked("shop")
    @Transactional
    public Mono<Void> apart() {
        return sales.apart(point);
    }

    @Locked("shop")
    public Mono<Void> outer(ReactiveShop proxy) {
        return proxy.inner();
    }

    @Locked("other")
    @Transactional
    public Mono<Void> inner() {
        return sales.sell(point).then(pause);
    }

    @Locked("shop")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public Mono<Void> ofItsOwn() {
        return sales.sell(point);
    }

    @Locked("shop")
    public Mono<Void> operator() {
        return sales.sell(point).as(transactions::transactional);
    }

    @Locked("shop")
    public Mono<Void> afterCommit() {
        return sales.required(() -> {}).then(Mono.fromRunnable(point));
    }

    /** Calls itself in a transaction, after which more is done. */
    @Locked("shop")
    public Mono<Void> again(ReactiveShop proxy, boolean inside) {
        return inside
                ? sales.sell(() -> {})
                : proxy.again(proxy, true).as(transactions::transactional).then(Mono.fromRunnable(point));
    }

    @Locked("shop")
    public void awaiting() {
        sales.required(point).block();
    }

    @Locked("shop")
    public void around(Runnable body) {
        body.run();
    }

    /** What begins transactions, and knows nothing of locks. */
    public static class Sales {
        private final DatabaseClient database;

        Sales(DatabaseClient database) {
            this.database = database;
        }

        Mono<Void> sell(Runnable then) {
            return database.sql("INSERT INTO sold VALUES (" + Ledger.NEXT.incrementAndGet() + ")")
                    .then()
                    .then(Mono.fromRunnable(then));
        }

        @Transactional
        public Mono<Void> required(Runnable then) {
            return sell(then);
        }

        @jakarta.transaction.Transactional
        public Mono<Void> ofJakarta(Runnable then) {
            return sell(then);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Mono<Void> apart(Runnable then) {
            return sell(then);
        }
    }
}
