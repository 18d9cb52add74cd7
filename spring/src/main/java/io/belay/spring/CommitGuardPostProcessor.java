package io.belay.spring;

import java.lang.reflect.Method;
import java.util.List;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.transaction.annotation.Transactional;

/** Puts {@link CommitGuard} inside of all other advices of the methods of beans that run under a lock, or may. */
final class CommitGuardPostProcessor extends AnnotationPostProcessor {
    private static final long serialVersionUID = 1;

    /** The methods whose transaction is begun by a subscriber, perhaps under the lock of another bean's method. */
    private static final MethodMatcher REACTIVE = new StaticMethodMatcher() {
        @Override
        public boolean matches(Method method, Class<?> type) {
            return Results.isReactive(method);
        }
    };

    CommitGuardPostProcessor() {
        super(Locked.class, false);
        ComposablePointcut guarded = annotated(Locked.class).union(annotated(LeaderOnly.class));
        if (Transactions.arePresent()) {
            guarded.union((Pointcut) annotated(Transactional.class).intersection(REACTIVE));
        }
        advise(guarded, new CommitGuard(this::fences));
    }

    private List<TransactionFence> fences() {
        return beans().getBeanProvider(TransactionFence.class).orderedStream().toList();
    }
}
