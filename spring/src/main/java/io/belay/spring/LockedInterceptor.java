package io.belay.spring;

import io.belay.ReleaseOutcome;
import io.belay.recipes.MultiLease;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The outermost advice of a {@link Locked} method: takes the lock, and gives it back when the result is complete. */
final class LockedInterceptor implements MethodInterceptor {
    private final Function<MethodInvocation, LockedMethod> methods;

    LockedInterceptor(Function<MethodInvocation, LockedMethod> methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        LockedMethod method = methods.apply(call);
        Acquisition wanted = new Acquisition(method, method.names(call));
        if (Results.isReactive(call.getMethod(), method.returned())) {
            return ReactiveCall.of(call, wanted);
        }
        HeldLocks outer = HeldLocks.covering(wanted.names());
        if (outer != null) {
            boolean isTied = outer.isTied() && !method.isUnguarded();
            if (isTied) {
                outer.ensureHeld();
            }
            outer.enter();
            try {
                return callUnder(call, outer, isTied);
            } finally {
                outer.leave();
            }
        }
        boolean joins = Transactions.areAround(call, method.title());
        if (joins && !method.holdsUntilCompletion()) {
            throw Transactions.refusal(method.title());
        }
        method.lookForEarlyReads(call);
        Optional<MultiLease> had = wanted.acquire();
        if (had.isPresent()) {
            HeldLocks held = held(call, wanted, had.get());
            return joins ? callToTheEndOf(call, held, had.get()) : callAlone(call, held, had.get());
        } else if (method.isSkipped()) {
            return LockedMethod.skipped(method.returned());
        }
        throw wanted.refusal();
    }

    /** Returns the call that holds those leases, or gives them back: nobody else would. */
    private static HeldLocks held(MethodInvocation call, Acquisition wanted, MultiLease leases) {
        try {
            return new HeldLocks(wanted.names(), leases.leases(), call.getMethod());
        } catch (Throwable e) { // as no memory is left
            leases.close();
            throw e;
        }
    }

    private static @Nullable Object callAlone(MethodInvocation call, HeldLocks held, MultiLease leases)
            throws Throwable {
        Object result;
        CompletionStage<?> pending;
        try {
            held.begin();
            result = call.proceed();
            pending = pending(call.getMethod(), result);
            if (pending == null && !held.endsByCommit()) {
                held.ensureHeld(); // else the transaction has looked, and has committed since
            }
        } catch (Throwable e) {
            release(held, leases);
            throw e;
        } finally {
            held.end();
        }
        if (pending != null) {
            return releasedAtEnd(pending, held, leases);
        }
        if (release(held, leases) && !held.endsByCommit()) {
            held.ensureReleased();
        }
        return result;
    }

    /** Calls under locks that somebody else gives back, but not before the result is there. What is tied to them fails without. */
    private static @Nullable Object callUnder(MethodInvocation call, HeldLocks held, boolean isTied) throws Throwable {
        Object result = call.proceed();
        CompletionStage<?> pending = pending(call.getMethod(), result);
        if (pending == null) {
            return result;
        }
        CompletableFuture<Object> told = new CompletableFuture<>();
        CompletionStage<?> looked = isTied ? looked(pending, held) : pending;
        CompletableFuture<Void> done = held.keep();
        var unused = looked.handle((value, error) -> {
            done.complete(null); // before: who is told may return from the outer call, which then gives the locks back
            return tell(told, value, error);
        });
        return told;
    }

    /** Returns what completes the result later. One that is of a kind that its declared type does not tell may be such, too. */
    private static @Nullable CompletionStage<?> pending(Method method, @Nullable Object result) {
        if (result instanceof CompletionStage<?> stage
                && method.getReturnType().isAssignableFrom(CompletableFuture.class)) {
            return stage;
        } else if (result != null && Results.isLater(result.getClass())) {
            throw new IllegalStateException(ClassUtils.getQualifiedMethodName(method) + " is @Locked and returned a "
                    + result.getClass().getName()
                    + ", which may be made after the lock is given back: declare that the method"
                    + " returns a CompletableFuture, a Mono or a Flux, or return what is done");
        }
        return null;
    }

    /** Calls inside of the caller's transaction, which ends the hold. */
    private static @Nullable Object callToTheEndOf(MethodInvocation call, HeldLocks held, MultiLease leases)
            throws Throwable {
        try {
            held.beginInside();
            Transactions.atEnd(() -> {
                held.end();
                release(held, leases);
            });
        } catch (Throwable e) {
            held.end();
            leases.close();
            throw e;
        }
        try {
            return callUnder(call, held, true);
        } finally {
            held.leave();
        }
    }

    /** Gives the locks back when the method's own result is there: who cancels the future that is returned stops no work. */
    private static CompletableFuture<Object> releasedAtEnd(
            CompletionStage<?> result, HeldLocks held, MultiLease leases) {
        try {
            CompletableFuture<Object> told = new CompletableFuture<>();
            // Its dependents are the application's, and may block: on a thread of the client's no other loss would be
            // told meanwhile.
            leases.onLost(loss -> Leaderships.onThread(() -> told.completeExceptionally(loss)));
            var unused = looked(result, held)
                    .handle((value, error) -> held.over()
                            .thenCompose(done -> leases.releaseAsync())
                            .whenComplete((released, failure) -> leases.close()) // which logs what went wrong
                            .handle((released, failure) -> isLost(released) && error == null
                                    || tell(told, value, error))); // a loss is told by the listener
            return told;
        } catch (Throwable e) { // of a stage of the application's own, for instance: nobody hears of its end
            release(held, leases);
            throw e;
        }
    }

    /** Gives the locks back: now, or when the results of calls inside are there; returns whether that finds one to be lost. */
    private static boolean release(HeldLocks held, MultiLease leases) {
        CompletableFuture<Void> over = held.over();
        if (over.isDone()) {
            leases.close(); // which logs what went wrong
            return isLost(leases.release());
        }
        var unused = over.thenCompose(done -> leases.releaseAsync()).thenRun(leases::close);
        return false;
    }

    /** Returns whether the release finds that a lock was lost: the store may be the first to know. */
    private static boolean isLost(ReleaseOutcome released) {
        return released == ReleaseOutcome.ALREADY_LOST;
    }

    /** Returns the result, failed if the locks are lost by the time that it is there: a loss may be told later than that. */
    private static CompletionStage<Object> looked(CompletionStage<?> result, HeldLocks held) {
        return result.thenApply(value -> {
            held.ensureHeld();
            return value;
        });
    }

    private static boolean tell(CompletableFuture<Object> told, @Nullable Object value, @Nullable Throwable error) {
        return error == null ? told.complete(value) : told.completeExceptionally(cause(error));
    }

    private static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }
}
