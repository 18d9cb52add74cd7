package io.belay.spring;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** The kinds of results that methods have. */
final class Results {
    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Flux", Results.class.getClassLoader());

    private Results() {}

    /** Returns whether a method returns a future that may be completed later. */
    static boolean isFuture(Method method) {
        Class<?> returned = method.getReturnType();
        return CompletionStage.class.isAssignableFrom(returned) && returned.isAssignableFrom(CompletableFuture.class);
    }

    /** Returns whether a method's result is made when somebody subscribes to it. */
    static boolean isReactive(Method method) {
        return REACTOR && !isFuture(method) && (isSuspending(method) || adapter(method) != null);
    }

    /** Returns whether a method may go on after it has returned. */
    static boolean isLater(Method method) {
        return isFuture(method) || isReactive(method);
    }

    static boolean isSuspending(Method method) {
        return KotlinDetector.isSuspendingFunction(method);
    }

    /** Returns what turns the result into a publisher; null where it is none. */
    static @Nullable ReactiveAdapter adapter(Method method) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType());
    }

    /** Returns whether there is a result for a call that was skipped. */
    static boolean isSkippable(Method method) {
        Class<?> returned = method.getReturnType();
        return returned == void.class || returned == Void.class || returned == Optional.class;
    }
}
