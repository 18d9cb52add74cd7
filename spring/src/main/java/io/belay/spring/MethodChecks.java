package io.belay.spring;

import io.belay.spring.Locked.InTransaction;
import io.belay.spring.Locked.Otherwise;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The checks of annotated methods at the start, of what would else run without its lock, or fail at the first call. */
final class MethodChecks {
    private MethodChecks() {}

    /**
     * Checks the methods of a bean that are annotated themselves.
     *
     * @param proxy the bean as others get it
     * @throws IllegalStateException if a proxy cannot stand before one of them, or it asks for what cannot be
     */
    static <A extends Annotation> void check(Class<?> type, Object proxy, Class<A> annotation) {
        Map<Method, A> methods = MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<A>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, annotation));
        methods.forEach((method, its) -> {
            checkReach(method, proxy, annotation);
            checkReturn(method, its);
        });
    }

    private static void checkReach(Method method, Object proxy, Class<? extends Annotation> annotation) {
        int modifiers = method.getModifiers();
        String why = null;
        if (Modifier.isPrivate(modifiers)) {
            why = "private: make it public";
        } else if (Modifier.isStatic(modifiers)) {
            why = "static: make it a method of the bean";
        } else if (AopUtils.isJdkDynamicProxy(proxy) && !isOfInterface(method, proxy)) {
            why = "not of an interface, and the bean is known by its interfaces alone: add it there, or proxy the class"
                    + " (proxyTargetClass = true)";
        } else if (Modifier.isFinal(modifiers) && AopUtils.isCglibProxy(proxy)) {
            why = "final, so that no proxy can stand before it: drop the final";
        }
        if (why != null) {
            throw new IllegalStateException(title(annotation) + " at " + ClassUtils.getQualifiedMethodName(method)
                    + " has no effect: the method is " + why);
        }
    }

    private static boolean isOfInterface(Method method, Object proxy) {
        for (Class<?> its : proxy.getClass().getInterfaces()) {
            if (ReflectionUtils.findMethod(its, method.getName(), method.getParameterTypes()) != null) {
                return true;
            }
        }
        return false;
    }

    private static void checkReturn(Method method, Annotation annotation) {
        Otherwise otherwise = Otherwise.THROW;
        if (annotation instanceof Locked locked) {
            otherwise = locked.otherwise();
            if (locked.inTransaction() == InTransaction.HOLD_UNTIL_COMPLETION && Results.isLater(method)) {
                throw refusal(
                        method,
                        annotation,
                        "inTransaction = HOLD_UNTIL_COMPLETION is for methods that return when they are done");
            }
            if (locked.value().length == 0) {
                throw refusal(method, annotation, "it names no lock");
            }
        } else if (annotation instanceof LeaderOnly leader) {
            otherwise = leader.otherwise();
        }
        Class<?> returned = method.getReturnType();
        if (otherwise == Otherwise.SKIP && !Results.isSkippable(method)) {
            throw refusal(
                    method,
                    annotation,
                    "a skipped call has no " + returned.getSimpleName() + " to return: return nothing or an "
                            + Optional.class.getSimpleName() + ", or say otherwise = THROW");
        }
    }

    private static IllegalStateException refusal(Method method, Annotation annotation, String why) {
        return new IllegalStateException(title(annotation.annotationType()) + " at "
                + ClassUtils.getQualifiedMethodName(method) + " cannot be: " + why);
    }

    private static String title(Class<? extends Annotation> annotation) {
        return "@" + annotation.getSimpleName();
    }
}
