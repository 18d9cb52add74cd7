package io.belay.spring;

import io.belay.spring.LockPlacement.Side;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.aspectj.AspectJPrecedenceInformation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The places for a lock's advice among the others of a bean: directly outside of the transaction's, inside of what decides
 * whether and how often a method is called. They go by the kinds of the others, as their numbers tell nothing: transactions,
 * retries and caches share one.
 */
final class AdvicePlaces {
    /**
     * The packages of what calls a method again, later, or not at all: none of that is to be done under its lock. Validation is
     * not there yet unless the application has it come early; Spring puts it inside of all others afterwards.
     */
    private static final List<String> DECIDING = List.of(
            "io.github.resilience4j.",
            "org.springframework.cache.",
            "org.springframework.resilience.",
            "org.springframework.retry.",
            "org.springframework.scheduling.",
            "org.springframework.security.",
            "org.springframework.validation.");

    private static final Log LOG = Log.of(LogName.SPRING);

    private final Advised bean;
    private final Class<?> type;
    private final BeanFactory beans;

    AdvicePlaces(Advised bean, Class<?> type, BeanFactory beans) {
        this.bean = bean;
        this.type = type;
        this.beans = beans;
    }

    /** Puts an advice among those that the bean has already: of each method where it belongs, by one advisor for each place. */
    void put(PointcutAdvisor advisor, Class<? extends Annotation> annotation) {
        Pointcut pointcut = advisor.getPointcut();
        ReflectionUtils.MethodFilter advised =
                method -> pointcut.getMethodMatcher().matches(method, type);
        Map<Integer, Set<Method>> methods = new TreeMap<>(Comparator.reverseOrder());
        for (Method method : MethodIntrospector.selectMethods(type, advised)) {
            methods.computeIfAbsent(of(method), place -> new HashSet<>()).add(method);
            if (annotation != Unguarded.class) {
                tell(method, annotation);
            }
        }
        methods.forEach((place, these) -> bean.addAdvisor(
                place,
                methods.size() == 1
                        ? advisor
                        : new DefaultPointcutAdvisor(only(these, pointcut), advisor.getAdvice())));
    }

    private static Pointcut only(Set<Method> methods, Pointcut pointcut) {
        MethodMatcher chosen = new StaticMethodMatcher() {
            @Override
            public boolean matches(Method method, Class<?> type) {
                return methods.contains(AopUtils.getMostSpecificMethod(method, type));
            }
        };
        return new ComposablePointcut(pointcut).intersection(chosen);
    }

    private void tell(Method method, Class<? extends Annotation> annotation) {
        List<String> enclosed = enclosed(method);
        if (!enclosed.isEmpty()) {
            LOG.warn(
                    "@{} at {} lies around {}, as its transaction does: all attempts and refusals are in one"
                            + " transaction, under one lock; to have them outside of both give them a lower order than"
                            + " @EnableTransactionManagement",
                    annotation.getSimpleName(),
                    ClassUtils.getQualifiedMethodName(method),
                    String.join(" and ", enclosed));
        }
    }

    /** Returns the index at which the lock of a method belongs. */
    private int of(Method method) {
        int place = 0;
        Advisor[] all = bean.getAdvisors();
        for (int i = 0; i < all.length; i++) {
            Side side = side(all[i], method);
            if (side == Side.INSIDE) {
                return i;
            } else if (side == Side.OUTSIDE) {
                place = i + 1;
            }
        }
        return place;
    }

    /** Returns the names of what would lie outside of the lock of a method if it were not inside of the transaction. */
    private List<String> enclosed(Method method) {
        List<String> enclosed = new ArrayList<>();
        Advisor[] all = bean.getAdvisors();
        for (int i = of(method); i < all.length; i++) {
            if (side(all[i], method) == Side.OUTSIDE) {
                enclosed.add(kind(all[i]).getSimpleName());
            }
        }
        return enclosed;
    }

    private Side side(Advisor advisor, Method method) {
        if (!applies(advisor, method)) {
            return Side.EITHER;
        } else if (isOurs(advisor) || Transactions.isAdvice(advisor.getAdvice())) {
            return Side.INSIDE;
        }
        Class<?> kind = kind(advisor);
        return DECIDING.stream().anyMatch(kind.getName()::startsWith) ? Side.OUTSIDE : asked(kind);
    }

    /** Each lies around those that were placed before: a leader's check around the lock, both around what is not guarded. */
    private static boolean isOurs(Advisor advisor) {
        return advisor.getAdvice() instanceof LockedInterceptor
                || advisor.getAdvice() instanceof UnguardedPostProcessor;
    }

    private boolean applies(Advisor advisor, Method method) {
        if (!(advisor instanceof PointcutAdvisor pointed)) {
            return true;
        }
        Pointcut pointcut = pointed.getPointcut();
        return pointcut.getClassFilter().matches(type)
                && pointcut.getMethodMatcher().matches(method, type)
                && !isPassing(advisor, method);
    }

    /** Returns whether an advice only passes the call on: spring-retry's is put before all methods of a class that has one. */
    private boolean isPassing(Advisor advisor, Method method) {
        return advisor.getAdvice().getClass().getName().startsWith("org.springframework.retry.annotation.")
                && Stream.of(method, type)
                        .noneMatch(element -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                                .isPresent("org.springframework.retry.annotation.Retryable"));
    }

    private Side asked(Class<?> kind) {
        return beans.getBeanProvider(LockPlacement.class)
                .orderedStream()
                .map(placement -> placement.side(kind))
                .filter(side -> side != Side.EITHER)
                .findFirst()
                .orElse(Side.EITHER);
    }

    private Class<?> kind(Advisor advisor) {
        Class<?> aspect = advisor instanceof AspectJPrecedenceInformation its ? aspect(its.getAspectName()) : null;
        return aspect != null ? aspect : advisor.getAdvice().getClass();
    }

    private @Nullable Class<?> aspect(String name) {
        return beans.containsBean(name) ? beans.getType(name) : null;
    }
}
