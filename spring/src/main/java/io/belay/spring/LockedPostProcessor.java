package io.belay.spring;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Puts {@link LockedInterceptor} around the {@link Locked} methods of beans, outside of the transaction. */
final class LockedPostProcessor extends AnnotationPostProcessor {
    private static final long serialVersionUID = 1;

    private final transient ConcurrentHashMap<MethodClassKey, LockedMethod> methods = new ConcurrentHashMap<>();

    LockedPostProcessor() {
        super(Locked.class, true);
        advise(annotated(Locked.class), new LockedInterceptor(this::method));
    }

    private LockedMethod method(MethodInvocation call) {
        Object target = call.getThis();
        Class<?> type = target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        MethodClassKey key = new MethodClassKey(call.getMethod(), type);
        LockedMethod known = methods.get(key);
        return known != null ? known : methods.computeIfAbsent(key, absent -> read(call.getMethod(), type));
    }

    private LockedMethod read(Method called, Class<?> type) {
        Method method = AopUtils.getMostSpecificMethod(called, type);
        Locked locked = AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
        if (locked == null) {
            locked = AnnotatedElementUtils.findMergedAnnotation(called, Locked.class);
        }
        if (locked == null) {
            locked = AnnotatedElementUtils.findMergedAnnotation(type, Locked.class);
        }
        return new LockedMethod(beans(), method, Objects.requireNonNull(locked));
    }
}
