package io.belay.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ClassUtils;

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
            union(guarded, Transactional.class);
            jakarta().ifPresent(transactional -> union(guarded, transactional));
        }
        advise(guarded, new CommitGuard(this::fences));
    }

    private static void union(ComposablePointcut guarded, Class<? extends Annotation> transactional) {
        guarded.union((Pointcut) annotated(transactional).intersection(REACTIVE));
    }

    /** Returns the annotation of JTA, which Spring knows as its own. */
    private static Optional<Class<? extends Annotation>> jakarta() {
        try {
            return Optional.of(ClassUtils.forName(
                            "jakarta.transaction.Transactional", CommitGuardPostProcessor.class.getClassLoader())
                    .asSubclass(Annotation.class));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    private List<TransactionFence> fences() {
        return beans().getBeanProvider(TransactionFence.class).orderedStream().toList();
    }
}
