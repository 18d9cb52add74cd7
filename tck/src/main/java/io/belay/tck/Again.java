package io.belay.tck;

import io.belay.StoreUnavailableException;
import io.belay.spi.StoreException;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** Begins a test of {@link OneStore} again, on a new store, where the machine has taken its {@link Premise} away. */
@SuppressWarnings("NullAway") // some compilers read the annotations of JUnit's type arguments, others do not
final class Again implements InvocationInterceptor {
    // That the overridden method's parameter may be of a null is seen by the compilers of some updates of JDK 17, and
    // by others not.
    @SuppressWarnings("NullAway")
    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
            throws Throwable {
        intercept(invocation, test, context);
    }

    @SuppressWarnings("NullAway")
    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
            throws Throwable {
        intercept(invocation, test, context);
    }

    private static void intercept(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
            throws Throwable {
        OneStore instance = (OneStore) test.getTarget().orElseThrow();
        Optional<Premise.Gone> gone;
        try {
            invocation.proceed();
            return;
        } catch (Throwable e) {
            gone = goneIn(e, instance);
            if (gone.isEmpty()) {
                throw e;
            }
        }
        // That of a store, in which those of the suite are nested.
        Object outermost = context.getRequiredTestInstances().getAllInstances().get(0);
        String name = outermost.getClass().getSimpleName() + "."
                + test.getExecutable().getName();
        while (gone.isPresent()) {
            System.out.printf("%s: %s; again%n", name, gone.get().getMessage());
            runAll(instance, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP);
            runAll(instance, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN);
            gone = run(instance, test.getExecutable(), test.getArguments().toArray());
        }
    }

    private static void runAll(OneStore instance, Class<? extends Annotation> kind, HierarchyTraversalMode order)
            throws Throwable {
        for (Method method : AnnotationSupport.findAnnotatedMethods(instance.getClass(), kind, order)) {
            Optional<Premise.Gone> gone = run(instance, method);
            if (gone.isPresent()) {
                throw gone.get();
            }
        }
    }

    private static Optional<Premise.Gone> run(OneStore instance, Method method, Object... arguments) throws Throwable {
        try {
            method.setAccessible(true);
            method.invoke(instance, arguments);
            return Optional.empty();
        } catch (InvocationTargetException e) {
            Throwable thrown = Objects.requireNonNull(e.getCause());
            Optional<Premise.Gone> gone = goneIn(thrown, instance);
            if (gone.isEmpty()) {
                throw thrown;
            }
            return gone;
        }
    }

    /** Threads of a test hand on what they meet as the cause of something else. */
    private static Optional<Premise.Gone> goneIn(Throwable thrown, OneStore instance) {
        for (@Nullable Throwable e = thrown; e != null; e = e.getCause()) {
            if (e instanceof Premise.Gone gone) {
                return Optional.of(gone);
            } else if (e instanceof StoreUnavailableException
                    || (e instanceof StoreException failed && failed.isTemporary())) {
                return instance.premise.unanswered();
            }
        }
        return Optional.empty();
    }
}
