package io.belay.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The transaction of a subscriber, where Spring's reactive transactions are on the class path. */
final class ReactiveTransactions {
    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.reactive.TransactionSynchronizationManager",
            ReactiveTransactions.class.getClassLoader());

    private ReactiveTransactions() {}

    /** Returns whether the subscriber is inside a transaction. */
    static Mono<Boolean> areActive() {
        return PRESENT ? Active.now().hasElement() : Mono.just(false);
    }

    /** Has the result of a method come only after its subscriber's transaction is tied to the locks that the call holds. */
    static @Nullable Object guard(Method method, @Nullable Object result) {
        ReactiveAdapter adapter = result == null
                ? null
                : ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, result);
        if (!PRESENT || adapter == null) {
            return result;
        }
        Mono<Void> tied = Mono.deferContextual(context -> Active.tie(method, context));
        Publisher<Object> published = adapter.toPublisher(result);
        return adapter.fromPublisher(
                adapter.isMultiValue() ? tied.thenMany(Flux.from(published)) : tied.then(Mono.from(published)));
    }

    /** The part that needs Spring's transactions, in a class that is loaded only where they are. */
    private static final class Active {
        static Mono<TransactionSynchronizationManager> now() {
            return TransactionSynchronizationManager.forCurrentTransaction()
                    .filter(TransactionSynchronizationManager::isActualTransactionActive)
                    .onErrorResume(NoTransactionException.class, none -> Mono.empty());
        }

        static Mono<Void> tie(Method method, ContextView context) {
            List<HeldLocks> held = ReactiveCall.held(context);
            return held.isEmpty()
                    ? Mono.empty()
                    : now().doOnNext(transaction -> {
                                tie(transaction, held);
                                if (!ReactiveCall.isInside(context)) {
                                    held.get(0).inTransaction(method);
                                }
                            })
                            .then();
        }

        private static void tie(TransactionSynchronizationManager transaction, List<HeldLocks> held) {
            Look look = new Look(held);
            if (!transaction.getSynchronizations().contains(look)) {
                transaction.registerSynchronization(look);
                transaction.registerSynchronization(
                        new End(held.stream().map(HeldLocks::keep).toList()));
            }
        }
    }

    /** The last look at the leases before a commit: what it throws rolls back. */
    private record Look(List<HeldLocks> held) implements TransactionSynchronization {
        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.fromRunnable(() -> held.forEach(HeldLocks::ensureNotLost));
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(() -> held.get(0).ends(status == STATUS_COMMITTED));
        }
    }

    /** Has locks kept until the transaction has ended: who cancels a subscription does not reach a commit that is on its way. */
    private record End(List<CompletableFuture<Void>> kept) implements TransactionSynchronization {
        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(() -> kept.forEach(done -> done.complete(null)));
        }
    }
}
