package io.belay.spring;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/** Reactive transactions of nothing, which note when they begin and end. */
final class NotingTransactions extends AbstractReactiveTransactionManager {
    private static final long serialVersionUID = 1;

    private final transient Sale sale;

    NotingTransactions(Sale sale) {
        this.sale = sale;
    }

    private Mono<Void> note(String event) {
        return Mono.fromRunnable(() -> sale.note(event));
    }

    @Override
    protected Object doGetTransaction(TransactionSynchronizationManager synchronizations) {
        return this;
    }

    @Override
    protected Mono<Void> doBegin(
            TransactionSynchronizationManager synchronizations, Object transaction, TransactionDefinition definition) {
        return note("begin");
    }

    @Override
    protected Mono<Void> doCommit(
            TransactionSynchronizationManager synchronizations, GenericReactiveTransaction transaction) {
        return note("committed");
    }

    @Override
    protected Mono<Void> doRollback(
            TransactionSynchronizationManager synchronizations, GenericReactiveTransaction transaction) {
        return note("rolled back");
    }
}
