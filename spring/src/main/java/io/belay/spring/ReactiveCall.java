package io.belay.spring;

import io.belay.ReleaseOutcome;
import io.belay.recipes.MultiLease;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/** A call whose result is made when somebody subscribes to it: each subscription takes the lock, without a thread. */
final class ReactiveCall {
    /** The key of what tells that a call goes on under the locks of one around it. */
    private static final Object INSIDE = new Object();

    private final ProxyMethodInvocation call;
    private final @Nullable ReactiveAdapter adapter;
    private final Acquisition wanted;

    private ReactiveCall(ProxyMethodInvocation call, Acquisition wanted) {
        this.call = call;
        this.wanted = wanted;
        adapter = Results.adapter(wanted.method().returned());
    }

    /** Returns the publisher, as the method declares it; that of a Kotlin function that suspends is awaited by its proxy. */
    static @Nullable Object of(MethodInvocation call, Acquisition wanted) {
        ReactiveCall made = new ReactiveCall((ProxyMethodInvocation) call, wanted);
        ReactiveAdapter adapter = made.adapter;
        boolean several = adapter != null && adapter.isMultiValue();
        Flux<Object> result = Flux.deferContextual(context -> made.call(held(context)));
        Publisher<Object> published = several ? result : result.singleOrEmpty();
        return adapter == null || Results.isSuspending(call.getMethod()) ? published : adapter.fromPublisher(published);
    }

    /** Returns the calls around a subscriber that hold locks, the innermost first. */
    static List<HeldLocks> held(ContextView context) {
        List<HeldLocks> held = context.getOrDefault(ReactiveCall.class, null);
        return held == null ? List.of() : held;
    }

    /** Returns whether a subscriber is inside of a call that goes on under the locks of one around it. */
    static boolean isInside(ContextView context) {
        return context.hasKey(INSIDE);
    }

    private Publisher<Object> call(List<HeldLocks> outer) {
        for (HeldLocks held : outer) {
            if (held.covers(wanted.names())) {
                CompletableFuture<Void> done = held.keep();
                if (!done.isDone()) { // else that call is over by now
                    return within(held, done, outer);
                }
            }
        }
        HeldLocks around = HeldLocks.covering(wanted.names());
        List<HeldLocks> all =
                Stream.concat(outer.stream(), HeldLocks.all().stream()).toList();
        if (around != null) {
            return within(around, around.keep(), all);
        }
        return (Transactions.areItsOwn(call) ? Mono.just(false) : ReactiveTransactions.areActive())
                .flatMapMany(inside -> inside
                        ? Flux.error(Transactions.refusal(wanted.method().title()))
                        : Flux.usingWhen(
                                        acquired(),
                                        taken -> under(taken, all),
                                        Taken::release,
                                        Taken::released,
                                        Taken::release)
                                .switchIfEmpty(skipped()));
    }

    /** Returns what a call gives that was skipped: an empty Optional, of a function that suspends, or nothing. */
    private Mono<Object> skipped() {
        return Mono.justOrEmpty(LockedMethod.skipped(wanted.method().returned()));
    }

    /** The locks of a subscription. */
    private record Taken(HeldLocks held, MultiLease leases) {
        /** Gives them back when no transaction under them goes on: one that commits as it is cancelled does. */
        Mono<ReleaseOutcome> release() {
            return Mono.fromFuture(() -> held.over()
                    .thenCompose(done -> leases.releaseAsync())
                    .whenComplete((released, failure) -> leases.close())); // which logs what went wrong
        }

        /** Does so when the result is there, and fails if that finds one to be lost: the store may be the first to know. */
        Mono<Object> end() {
            return release()
                    .filter(outcome -> outcome == ReleaseOutcome.ALREADY_LOST && !held.endsByCommit())
                    .doOnNext(lost -> held.ensureReleased())
                    .then(Mono.empty());
        }

        /** Does the same after an error; a loss is told without waiting for that. */
        Mono<?> released(Throwable error) {
            return leases.isHeld()
                    ? release()
                    : Mono.fromRunnable(() -> release().subscribe());
        }
    }

    /** Goes on under the locks of a call around, which are kept until the result is there. */
    private Publisher<Object> within(HeldLocks around, CompletableFuture<Void> done, List<HeldLocks> all) {
        Mono<Object> look = all.contains(around) ? Mono.fromRunnable(around::ensureHeld) : Mono.empty();
        // Each is done before the subscriber is told, who may return from the call around, which then gives the locks
        // back.
        return Flux.concat(look, proceed(with(around, all)), look)
                .doOnTerminate(() -> done.complete(null))
                .doFinally(signal -> done.complete(null)) // a cancel has gone up by then
                .contextWrite(context -> context.put(ReactiveCall.class, all).put(INSIDE, true));
    }

    private Mono<Taken> acquired() {
        return acquired(wanted::acquireAsync)
                .flatMap(had -> had.map(this::taken).map(Mono::just).orElseGet(this::refused));
    }

    private Taken taken(MultiLease leases) {
        return new Taken(new HeldLocks(wanted.names(), leases.leases(), call.getMethod()), leases);
    }

    /** Returns what a future brings; locks that come when their subscriber has left are given back. */
    static Mono<Optional<MultiLease>> acquired(Supplier<CompletableFuture<Optional<MultiLease>>> asked) {
        // Within handle the thread has what the subscriber's context has of it, such as the current observation.
        return Mono.just(asked)
                .<CompletableFuture<Optional<MultiLease>>>handle((ask, sink) -> sink.next(ask.get()))
                .flatMap(Mono::fromFuture)
                .doOnDiscard(Optional.class, had -> had.ifPresent(leases -> ((MultiLease) leases).releaseAsync()));
    }

    private Mono<Taken> refused() {
        return wanted.method().isSkipped()
                ? Mono.empty()
                : Mono.<Taken>error(wanted::refusal).subscribeOn(Schedulers.boundedElastic()); // it asks the store
    }

    private Publisher<Object> under(Taken taken, List<HeldLocks> outer) {
        HeldLocks held = taken.held();
        // On another thread, as what follows may block, and no other loss would be told meanwhile.
        Mono<Object> lost =
                Mono.create(sink -> taken.leases().onLost(sink::error)).publishOn(Schedulers.boundedElastic());
        Mono<Object> asks = Mono.fromRunnable(held::ensureHeld).subscribeOn(Schedulers.boundedElastic());
        // Where it ends by a commit, the transaction has looked, and has committed since.
        Mono<Object> look =
                Mono.defer(() -> held.endsByCommit() || taken.leases().isHeld() ? Mono.empty() : asks);
        List<HeldLocks> all = with(held, outer);
        return Flux.from(proceed(all))
                .concatWith(look)
                .takeUntilOther(lost)
                .contextWrite(context -> context.put(ReactiveCall.class, all).delete(INSIDE))
                .concatWith(taken.end()); // here, as Reactor would wrap what that throws at the end of usingWhen
    }

    private static List<HeldLocks> with(HeldLocks innermost, List<HeldLocks> outer) {
        return Stream.concat(Stream.of(innermost), outer.stream()).toList();
    }

    /** Calls the method under these locks; each subscription goes through the rest of the chain by itself. */
    private Publisher<Object> proceed(List<HeldLocks> held) {
        return Flux.defer(() -> {
            try {
                if (Results.isSuspending(call.getMethod())) {
                    CoroutineHold hold = new CoroutineHold(held);
                    return Flux.from(proceed(call.invocableClone(hold.arguments(call.getArguments()))))
                            .doOnTerminate(hold::end); // before the subscriber is told
                }
                return proceed(call.invocableClone());
            } catch (Throwable e) {
                return Flux.error(e);
            }
        });
    }

    private Publisher<Object> proceed(MethodInvocation its) throws Throwable {
        // Advices inside of this one may ask for the call on whatever thread this is.
        Object result = ExposeInvocationInterceptor.INSTANCE.invoke(its);
        return result == null ? Flux.empty() : publisher(result);
    }

    @SuppressWarnings("unchecked") // what is in it is passed on
    private Publisher<Object> publisher(Object result) {
        return result instanceof Publisher<?> || adapter == null
                ? (Publisher<Object>) result
                : adapter.toPublisher(result);
    }
}
