package io.belay.spring;

import io.belay.spring.Locked.InTransaction;
import io.belay.spring.Locked.Otherwise;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** The checks of annotated methods at the start, of what would else run without its lock, or fail at the first call. */
final class MethodChecks {
    private MethodChecks() {}

    /**
     * Checks a method that an annotation is for.
     *
     * @param type the bean's class
     * @param proxy the bean as others get it
     * @return false if nobody can call it by that proxy, and the annotation is that of the class
     * @throws IllegalStateException if the proxy cannot stand before it, or it asks for what cannot be
     */
    static boolean check(Method method, MergedAnnotation<?> annotation, Class<?> type, Object proxy) {
        boolean isOfClass = !(annotation.getSource() instanceof Method);
        Method called = AopUtils.isJdkDynamicProxy(proxy) ? ofInterface(method, type, proxy) : method;
        boolean isHidden = called == null;
        if (isOfClass && isHidden && !Modifier.isStatic(method.getModifiers())) {
            return false;
        }
        String why = whyOutOfReach(method, proxy, isHidden);
        if (why != null || called == null) {
            throw new IllegalStateException(
                    title(annotation.getType()) + (isOfClass ? " on the class has no effect at " : " at ")
                            + ClassUtils.getQualifiedMethodName(method, type)
                            + (isOfClass ? ": " : " has no effect: ") + "the method is " + why);
        }
        checkReturn(method, called, type, annotation.synthesize());
        return true;
    }

    /**
     * Checks that a method which bears an annotation itself is none of those that Spring calls past the proxy. That of a class is not
     * meant for these.
     *
     * @param definition that of the bean, by which it may name such methods; null if there is none
     * @throws IllegalStateException if it is
     */
    static void checkCallback(
            Method method, MergedAnnotation<?> annotation, Class<?> type, @Nullable BeanDefinition definition) {
        String why = annotation.getSource() instanceof Method && method.getParameterCount() == 0
                ? whyPastTheProxy(method, annotation, type, definition)
                : null;
        if (why != null) {
            throw new IllegalStateException(
                    title(annotation.getType()) + " at " + ClassUtils.getQualifiedMethodName(method, type)
                            + " has no effect: the method is called by Spring " + why);
        }
    }

    private static @Nullable String whyPastTheProxy(
            Method method, MergedAnnotation<?> annotation, Class<?> type, @Nullable BeanDefinition definition) {
        if (isAnnotated(method, "jakarta.annotation.PostConstruct")
                || (InitializingBean.class.isAssignableFrom(type)
                        && method.getName().equals("afterPropertiesSet"))
                || (definition != null && method.getName().equals(definition.getInitMethodName()))) {
            boolean leads = annotation.getType() == LeaderOnly.class;
            return "when the bean is made, and no proxy stands before it yet: "
                    + (leads ? "make it @Locked, as who leads is told too late for a start, and " : "")
                    + "have an ApplicationRunner call it instead, or put @EventListener(ApplicationReadyEvent.class) on it"
                    + " (without Spring Boot that of ContextRefreshedEvent)";
        } else if (isAnnotated(method, "jakarta.annotation.PreDestroy")
                || (DisposableBean.class.isAssignableFrom(type)
                        && method.getName().equals("destroy"))
                || isDestroyMethod(method, type, definition)) {
            return "when the bean ends, past its proxy: put @EventListener(ContextClosedEvent.class) instead on a method that"
                    + " Spring does not take for that";
        }
        return null;
    }

    /** Returns whether a method ends the bean by its name: one that is said, or that Spring takes where none is, by the same rules. */
    private static boolean isDestroyMethod(Method method, Class<?> type, @Nullable BeanDefinition definition) {
        String name = definition == null ? null : definition.getDestroyMethodName();
        boolean isService = ExecutorService.class.isAssignableFrom(type);
        if (name == null && (isService || AutoCloseable.class.isAssignableFrom(type))) {
            name = AbstractBeanDefinition.INFER_METHOD;
        }
        if (!AbstractBeanDefinition.INFER_METHOD.equals(name)) {
            return method.getName().equals(name);
        }
        boolean isEnded = !DisposableBean.class.isAssignableFrom(type)
                && (definition == null || !definition.isPrototype())
                && Modifier.isPublic(method.getModifiers());
        boolean closes = !isService && ClassUtils.hasMethod(type, "close");
        return isEnded && method.getName().equals(closes ? "close" : "shutdown");
    }

    /** Takes the annotation's name, as it need not be on the class path. */
    private static boolean isAnnotated(Method method, String annotation) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation);
    }

    private static @Nullable String whyOutOfReach(Method method, Object proxy, boolean isHidden) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            return "private: make it public";
        } else if (Modifier.isStatic(modifiers)) {
            return "static: make it a method of the bean";
        } else if (isHidden) {
            return "not of an interface, and the bean is known by its interfaces alone: add it there, or proxy the class"
                    + " (proxyTargetClass = true)";
        } else if (Modifier.isFinal(modifiers) && AopUtils.isCglibProxy(proxy)) {
            return "final, so that no proxy can stand before it: drop the final";
        } else if ((modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0
                && AopUtils.isCglibProxy(proxy)
                && method.getDeclaringClass().getPackage() != proxy.getClass().getPackage()) {
            return "known to its own package alone, which is not that of the bean, so that no proxy can stand before it:"
                    + " make it public or protected";
        }
        return null;
    }

    /**
     * Returns the method of an interface by which callers reach one, which may name a type parameter where that names a class; null
     * if there is none.
     */
    private static @Nullable Method ofInterface(Method method, Class<?> type, Object proxy) {
        return Stream.of(proxy.getClass().getInterfaces())
                .flatMap(its -> Stream.of(its.getMethods()))
                .filter(its -> its.getName().equals(method.getName()))
                .filter(its -> its.equals(method)
                        || AopUtils.getMostSpecificMethod(its, type).equals(method))
                .findFirst()
                .orElse(null);
    }

    private static void checkReturn(Method method, Method called, Class<?> type, Annotation annotation) {
        Otherwise otherwise = Otherwise.THROW;
        Class<?> returned = Results.returned(method, type);
        if (annotation instanceof Locked locked) {
            otherwise = locked.otherwise();
            checkSuspending(method, annotation, Results.AWAITED);
            Class<?> untold = Results.untold(method, called, type);
            if (untold != null) {
                throw refusal(
                        method,
                        annotation,
                        "nobody tells when the " + untold.getSimpleName()
                                + " that it returns is done, and the lock would be given back before: return what is done, or a "
                                + (Results.isSuspending(method) ? "Flow" : "CompletableFuture, a Mono or a Flux")
                                + " of that, declared as such");
            }
            if (locked.inTransaction() == InTransaction.HOLD_UNTIL_COMPLETION && Results.isLater(method, returned)) {
                throw refusal(
                        method,
                        annotation,
                        "inTransaction = HOLD_UNTIL_COMPLETION is for methods that return when they are done");
            }
        } else if (annotation instanceof LeaderOnly leader) {
            otherwise = leader.otherwise();
            if (Results.isLater(method, returned) || Results.untold(method, called, type) != null) {
                throw refusal(
                        method,
                        annotation,
                        "nothing would look at the lead when what it returns is done after the method: return what is"
                                + " done");
            }
        }
        if (annotation instanceof Unguarded && Results.isReactive(method, returned)) {
            throw refusal(
                    method,
                    annotation,
                    "a lost lock cancels what is reactive, with its transactions: return what is done, or a"
                            + " CompletableFuture");
        }
        if (otherwise == Otherwise.SKIP && !Results.isSkippable(method, type)) {
            throw refusal(
                    method,
                    annotation,
                    "a skipped call has no " + returned.getSimpleName() + " to return: return nothing or an "
                            + Optional.class.getSimpleName() + ", or say otherwise = THROW");
        }
    }

    /** Checks a method that would give its lock back at its first suspension, unless Spring awaits its end. */
    static void checkSuspending(Method method, Annotation annotation, boolean awaited) {
        if (!awaited && Results.isSuspending(method)) {
            throw refusal(
                    method,
                    annotation,
                    "Spring awaits the end of a function that suspends only where"
                            + " org.jetbrains.kotlinx:kotlinx-coroutines-reactor is on the class path: add that");
        }
    }

    static IllegalStateException refusal(Method method, Annotation annotation, String why) {
        return new IllegalStateException(title(annotation.annotationType()) + " at "
                + ClassUtils.getQualifiedMethodName(method) + " cannot be: " + why);
    }

    static String title(Class<? extends Annotation> annotation) {
        return "@" + annotation.getSimpleName();
    }
}
