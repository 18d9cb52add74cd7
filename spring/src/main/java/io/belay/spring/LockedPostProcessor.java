package io.belay.spring;

import java.lang.reflect.Method;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodClassKey;

/**
 * Puts {@link LockedInterceptor} around the {@link Locked} methods of beans, outside of the transaction. What they say is read
 * when their bean is made, and the beans that it names are looked for once all singletons are there.
 */
final class LockedPostProcessor extends AnnotationPostProcessor implements SmartInitializingSingleton, DisposableBean {
    private static final long serialVersionUID = 1;

    private final transient ConcurrentHashMap<MethodClassKey, LockedMethod> methods = new ConcurrentHashMap<>();
    private volatile boolean singletonsAreThere;
    private volatile boolean ended;

    LockedPostProcessor() {
        super(Locked.class, true);
        advise(annotated(Locked.class), new LockedInterceptor(this::method));
    }

    @Override
    void found(Method method, Class<?> type) {
        LockedMethod read = method(method, type);
        if (singletonsAreThere) {
            read.checkBeans();
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        singletonsAreThere = true;
        methods.values().forEach(LockedMethod::checkBeans);
    }

    /** Notes that the application has ended: post-processors are destroyed behind all else. */
    @Override
    public void destroy() {
        ended = true;
    }

    private LockedMethod method(MethodInvocation call) {
        return method(call.getMethod(), type(call));
    }

    private LockedMethod method(Method called, Class<?> type) {
        MethodClassKey key = new MethodClassKey(called, type);
        LockedMethod known = methods.get(key);
        return known != null ? known : methods.computeIfAbsent(key, absent -> read(called, type));
    }

    private LockedMethod read(Method called, Class<?> type) {
        return new LockedMethod(
                beans(),
                AnnotatedMethods.own(called, type),
                type,
                AnnotatedMethods.find(called, type, Locked.class),
                AnnotatedMethods.isFor(called, type, Unguarded.class),
                () -> ended);
    }
}
