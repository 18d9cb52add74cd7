package io.belay.spring;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Puts a call that holds nothing around the {@link Unguarded} methods of beans, outside of their transactions. */
final class UnguardedPostProcessor extends AnnotationPostProcessor implements MethodInterceptor {
    private static final long serialVersionUID = 1;

    UnguardedPostProcessor() {
        super(Unguarded.class, true);
        advise(annotated(Unguarded.class), this);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        HeldLocks none = HeldLocks.none();
        none.begin();
        try {
            return call.proceed();
        } finally {
            none.end();
        }
    }
}
