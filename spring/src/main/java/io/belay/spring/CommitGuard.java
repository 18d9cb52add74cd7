package io.belay.spring;

import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The innermost advice of a method with a lock: ties the transaction around its body, if there is one, to the lock. */
final class CommitGuard implements MethodInterceptor {
    private final Supplier<List<TransactionFence>> fences;

    CommitGuard(Supplier<List<TransactionFence>> fences) {
        this.fences = fences;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        HeldLocks held = HeldLocks.innermost();
        if (held != null && Transactions.isActive()) {
            Transactions.guard(held, fences.get());
        }
        return call.proceed();
    }
}
