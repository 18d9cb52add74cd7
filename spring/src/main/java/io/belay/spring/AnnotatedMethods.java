package io.belay.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.DecoratingProxy;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The methods that an annotation is for: those that bear it, themselves or in a type above, and the public ones of a class that
 * does, but for those of {@link Object}.
 */
final class AnnotatedMethods {
    /** The interfaces that Spring gives to a proxy, beside those of the bean. */
    private static final Set<Class<?>> OF_SPRING = Set.of(SpringProxy.class, Advised.class, DecoratingProxy.class);

    private AnnotatedMethods() {}

    /** Returns whether an annotation of the class is for that method. */
    static boolean isOfClass(Method method) {
        return Modifier.isPublic(method.getModifiers()) && !ReflectionUtils.isObjectMethod(method);
    }

    /** Finds the methods of a bean's class, none of them twice, with what their own annotation says, or else that of the class. */
    static <A extends Annotation> Map<Method, MergedAnnotation<A>> of(Class<?> type, Class<A> annotation) {
        Map<Method, MergedAnnotation<A>> methods = new LinkedHashMap<>(
                MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<MergedAnnotation<A>>)
                        method -> present(ofMethod(method, type, annotation))));
        MergedAnnotation<A> ofClass = present(ofClass(type, annotation));
        if (ofClass != null) {
            Stream.of(Proxy.isProxyClass(type) ? type.getInterfaces() : new Class<?>[] {type})
                    .filter(one -> !OF_SPRING.contains(one))
                    .flatMap(one -> Stream.of(one.getMethods()))
                    .filter(method -> isOfClass(method) && !method.isBridge() && !method.isSynthetic())
                    .forEach(method -> methods.putIfAbsent(method, ofClass));
        }
        return methods;
    }

    /** Returns what a method's annotation says: its own, that of the method that was called, or that of the class. */
    static <A extends Annotation> MergedAnnotation<A> find(Method called, Class<?> type, Class<A> annotation) {
        for (Method method : new Method[] {own(called, type), called}) {
            MergedAnnotation<A> its = ofMethod(method, type, annotation);
            if (its.isPresent()) {
                return its;
            }
        }
        return ofClass(type, annotation);
    }

    /** Returns a class's own of a method that was called; of a JDK proxy the interface's, as the proxy's has no type parameters. */
    static Method own(Method called, Class<?> type) {
        return Proxy.isProxyClass(type) ? called : AopUtils.getMostSpecificMethod(called, type);
    }

    /** Returns whether an annotation is for a method that was called. */
    static boolean isFor(Method called, Class<?> type, Class<? extends Annotation> annotation) {
        MergedAnnotation<?> its = find(called, type, annotation);
        return its.isPresent() && (its.getSource() instanceof Method || isOfClass(called));
    }

    private static <A extends Annotation> MergedAnnotation<A> ofMethod(
            Method method, Class<?> type, Class<A> annotation) {
        MergedAnnotation<A> its =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(annotation);
        return its.isPresent() ? its : ofInterface(method, type, annotation);
    }

    /** Returns what an interface says of a method that a class inherits from one which does not know that interface. */
    static <A extends Annotation> MergedAnnotation<A> ofInterface(Method method, Class<?> type, Class<A> annotation) {
        Class<?> bears = method.getDeclaringClass();
        if (bears.isInterface() || bears == type) {
            return MergedAnnotation.missing();
        }
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .filter(its -> !its.isAssignableFrom(bears))
                .flatMap(its -> Stream.of(its.getMethods()))
                .filter(its -> its.getName().equals(method.getName())
                        && AopUtils.getMostSpecificMethod(its, type).equals(method))
                .map(its -> MergedAnnotations.from(its, SearchStrategy.TYPE_HIERARCHY)
                        .get(annotation))
                .filter(MergedAnnotation::isPresent)
                .findFirst()
                .orElse(MergedAnnotation.missing());
    }

    private static <A extends Annotation> MergedAnnotation<A> ofClass(Class<?> type, Class<A> annotation) {
        return MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).get(annotation);
    }

    private static <A extends Annotation> @Nullable MergedAnnotation<A> present(MergedAnnotation<A> annotation) {
        return annotation.isPresent() ? annotation : null;
    }
}
