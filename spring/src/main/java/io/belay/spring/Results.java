package io.belay.spring;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** The kinds of results that methods have. */
final class Results {
    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", Results.class.getClassLoader());

    /** Whether Spring awaits a Kotlin function that suspends; else it returns at its first suspension. */
    static final boolean AWAITED =
            REACTOR && ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", Results.class.getClassLoader());

    private static final String FLOW = "kotlinx.coroutines.flow.Flow";

    /** The types, by their names as not all have them, of what is made after the return, while nobody tells when that is done. */
    private static final Set<String> UNTOLD = Set.of(
            "java.util.concurrent.Callable",
            "java.util.concurrent.Future",
            "java.util.stream.BaseStream",
            "kotlin.sequences.Sequence",
            "kotlinx.coroutines.Job",
            FLOW,
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /** Types of types are looked into so deep. */
    private static final int DEPTH = 5;

    /** Whether a class is one of those, a future or what a publisher can be made of; looked up once. */
    private static final ClassValue<Boolean> IS_LATER = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return UNTOLD.contains(type.getName())
                    || CompletionStage.class.isAssignableFrom(type)
                    || adapter(type) != null
                    || Stream.of(type.getInterfaces()).anyMatch(this::get)
                    || (type.getSuperclass() != null && get(type.getSuperclass()));
        }
    };

    private Results() {}

    /** Returns what a method returns in that class, which may tell what is a type parameter where the method is declared. */
    static Class<?> returned(Method method, Class<?> type) {
        return result(method, type).toClass();
    }

    /** Returns the same with its parts. A Kotlin function that suspends is compiled to return any object: its last parameter tells. */
    private static ResolvableType result(Method method, Class<?> type) {
        Method its = AnnotatedMethods.own(method, type);
        return isSuspending(its)
                ? ResolvableType.forMethodParameter(its, its.getParameterCount() - 1, type)
                        .getGeneric()
                : ResolvableType.forMethodReturnType(its, type);
    }

    /** Returns whether what a method returns is a future that may be completed later. */
    static boolean isFuture(Class<?> returned) {
        return CompletionStage.class.isAssignableFrom(returned) && returned.isAssignableFrom(CompletableFuture.class);
    }

    /** Returns whether a method's result is made when somebody subscribes to it, as Spring's transactions take it. */
    static boolean isReactive(Method method) {
        return isReactive(method, method.getReturnType());
    }

    /** Returns the same for a method that returns that class. */
    static boolean isReactive(Method method, Class<?> returned) {
        return REACTOR && !isFuture(returned) && (isSuspending(method) || adapter(returned) != null);
    }

    /** Returns whether a method that returns that class may go on after it has returned. */
    static boolean isLater(Method method, Class<?> returned) {
        return isFuture(returned) || isSuspending(method) || isReactive(method, returned);
    }

    static boolean isSuspending(Method method) {
        return KotlinDetector.isSuspendingFunction(method);
    }

    /** Returns what turns the result into a publisher; null where it is none. */
    static @Nullable ReactiveAdapter adapter(Class<?> returned) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
    }

    /** Returns whether there is a result for a call of that method that was skipped. */
    static boolean isSkippable(Method method, Class<?> type) {
        ResolvableType result = result(method, type);
        Class<?> returned = result.toClass();
        return isNothing(returned)
                || returned == Optional.class
                || (adapter(returned) != null
                        && !isFuture(returned)
                        && isNothing(result.getGeneric().toClass()));
    }

    private static boolean isNothing(Class<?> result) {
        return result == void.class || result == Void.class || result.getName().equals("kotlin.Unit");
    }

    /**
     * Finds in what a method of that class returns the type of something that may be made after the return, so that nobody tells
     * when it is done: inside of another type also a future or a publisher. Null if there is none.
     *
     * @param called the method by which its callers know it, such as that of an interface
     */
    static @Nullable Class<?> untold(Method method, Method called, Class<?> type) {
        ResolvableType returned = result(method, type);
        Class<?> its = returned.toClass();
        // In place of a future of another class none can be returned. Of what a function that suspends returns Spring
        // awaits a Flow alone, and that only where what is called says so itself, by no type parameter.
        boolean isTold = isSuspending(method)
                ? its.getName().equals(FLOW) && returned(called, called.getDeclaringClass()) == its
                : isFuture(its) || (adapter(its) != null && !CompletionStage.class.isAssignableFrom(its));
        return isTold ? untoldIn(returned, DEPTH) : untold(returned, DEPTH);
    }

    private static @Nullable Class<?> untold(ResolvableType type, int depth) {
        return isLater(type.toClass()) ? type.toClass() : untoldIn(type, depth);
    }

    private static @Nullable Class<?> untoldIn(ResolvableType type, int depth) {
        return depth == 0
                ? null
                : Stream.of(type.getGenerics())
                        .<@Nullable Class<?>>map(part -> untold(part, depth - 1))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** Returns whether what has that class may be made after the return of the method that gives it. */
    static boolean isLater(Class<?> result) {
        return IS_LATER.get(result);
    }
}
