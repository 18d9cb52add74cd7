package io.belay.spring;

import io.belay.recipes.MultiLease;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A call whose result is made when somebody subscribes to it: each subscription takes the lock, without a thread. */
final class ReactiveCall {
    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.reactive.TransactionSynchronizationManager",
            ReactiveCall.class.getClassLoader());

    private final ProxyMethodInvocation call;
    private final @Nullable ReactiveAdapter adapter;
    private final Acquisition wanted;

    private ReactiveCall(ProxyMethodInvocation call, Acquisition wanted) {
        this.call = call;
        this.wanted = wanted;
        adapter = Results.adapter(call.getMethod());
    }

    /** Returns the publisher, as the method declares it; that of a Kotlin function that suspends is awaited by its proxy. */
    static @Nullable Object of(MethodInvocation call, Acquisition wanted) {
        ReactiveCall made = new ReactiveCall((ProxyMethodInvocation) call, wanted);
        Method method = call.getMethod();
        ReactiveAdapter adapter = made.adapter;
        boolean several = adapter != null && adapter.isMultiValue();
        Flux<Object> result = Flux.deferContextual(context -> made.call(context.getOrDefault(HeldLocks.class, null)));
        Publisher<Object> published = several ? result : result.singleOrEmpty();
        return adapter == null || Results.isSuspending(method) ? published : adapter.fromPublisher(published);
    }

    private Publisher<Object> call(@Nullable HeldLocks outer) {
        if (outer != null && outer.covers(wanted.names())) {
            return proceed();
        }
        return inTransaction()
                .flatMapMany(inside -> inside
                        ? Flux.error(Transactions.refusal(wanted.method().title()))
                        : Flux.usingWhen(
                                acquired(),
                                this::under,
                                this::release,
                                (leases, error) -> release(leases),
                                this::release));
    }

    private static Mono<Boolean> inTransaction() {
        return TRANSACTIONS
                ? TransactionSynchronizationManager.forCurrentTransaction()
                        .map(TransactionSynchronizationManager::isActualTransactionActive)
                        .onErrorReturn(NoTransactionException.class, false)
                        .defaultIfEmpty(false)
                : Mono.just(false);
    }

    private Mono<MultiLease> acquired() {
        return Mono.fromFuture(wanted::acquireAsync)
                .flatMap(had -> had.map(Mono::just).orElseGet(this::refused));
    }

    private Mono<MultiLease> refused() {
        return Mono.<MultiLease>error(wanted::refusal).subscribeOn(Schedulers.boundedElastic()); // it asks the store
    }

    private Publisher<Object> under(MultiLease leases) {
        HeldLocks held = new HeldLocks(wanted.names(), leases.leases(), call.getMethod());
        Mono<Object> lost = Mono.create(sink -> leases.onLost(sink::error));
        return Flux.from(proceed()).takeUntilOther(lost).contextWrite(context -> context.put(HeldLocks.class, held));
    }

    private Mono<Void> release(MultiLease leases) {
        return Mono.fromFuture(leases::releaseAsync).then();
    }

    /** Calls the method; each subscription goes through the rest of the chain by itself. */
    private Publisher<Object> proceed() {
        return Flux.defer(() -> {
            try {
                Object result = call.invocableClone().proceed();
                return result == null ? Flux.empty() : publisher(result);
            } catch (Throwable e) {
                return Flux.error(e);
            }
        });
    }

    @SuppressWarnings("unchecked") // what is in it is passed on
    private Publisher<Object> publisher(Object result) {
        return result instanceof Publisher<?> || adapter == null
                ? (Publisher<Object>) result
                : adapter.toPublisher(result);
    }
}
