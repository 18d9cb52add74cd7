package io.belay.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The innermost advice of a method with a lock: refuses its body where a fence could not be raised, and ties a transaction to
 * the lock that was begun before it was taken, or whose manager tells no {@link TransactionGuard}: also any reactive one, which
 * has no thread by which its locks could be found.
 */
final class CommitGuard implements MethodInterceptor {
    private final Supplier<List<TransactionFence>> fences;

    CommitGuard(Supplier<List<TransactionFence>> fences) {
        this.fences = fences;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        if (Results.isReactive(call.getMethod())) {
            return ReactiveTransactions.guard(call.getMethod(), call.proceed());
        }
        List<HeldLocks> all = HeldLocks.all();
        if (!all.isEmpty() && Transactions.isActive()) {
            Method called = call.getMethod();
            Transactions.guard(all.get(0), called, fences);
            // The lead of a leader's method lies around its lock.
            all.stream()
                    .skip(1)
                    .takeWhile(held -> held.isInsideAt(called))
                    .forEach(held -> Transactions.guard(held, called, fences));
        }
        return call.proceed();
    }
}
