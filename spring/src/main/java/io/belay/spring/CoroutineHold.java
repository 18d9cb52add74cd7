package io.belay.spring;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;

/**
 * Has locks kept until a function that suspends has ended: Spring makes it a Mono, and who cancels that is not told when its coroutine
 * has cleaned up, or comes back from what blocks. It is in the context which Spring begins that coroutine with, and so sees its job.
 * Loaded only where Kotlin's coroutines are.
 */
final class CoroutineHold extends AbstractCoroutineContextElement implements ThreadContextElement<Unit> {
    private static final CoroutineContext.Key<CoroutineHold> KEY = new CoroutineContext.Key<>() {};

    private final List<HeldLocks> held;
    private volatile List<CompletableFuture<Void>> kept = List.of();

    CoroutineHold(List<HeldLocks> held) {
        super(KEY);
        this.held = held;
    }

    /** Returns a function's arguments with this in the context of its caller's continuation, which is the last of them. */
    Object[] arguments(Object[] given) {
        Object[] arguments = given.clone();
        int last = arguments.length - 1;
        arguments[last] = new Handed((Continuation<?>) arguments[last], this);
        return arguments;
    }

    /** Called before the coroutine begins, and then whenever it or one that it has begun goes on with a thread. */
    @Override
    public Unit updateThreadContext(CoroutineContext context) {
        Job job = kept.isEmpty() ? context.get(Job.Key) : null;
        if (job != null) {
            kept = held.stream().map(HeldLocks::keep).toList();
            job.invokeOnCompletion(failure -> {
                end();
                return Unit.INSTANCE;
            });
        }
        return Unit.INSTANCE;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Unit before) {}

    /** Keeps them no longer. */
    void end() {
        kept.forEach(done -> done.complete(null));
    }

    /** The continuation of a function's caller, as the function is given it. */
    private record Handed(Continuation<?> caller, CoroutineHold hold) implements Continuation<Object> {
        @Override
        public CoroutineContext getContext() {
            return caller.getContext().plus(hold);
        }

        @Override
        public void resumeWith(Object result) {
            caller.resumeWith(result);
        }
    }
}
