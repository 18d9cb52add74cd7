package io.belay.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.aop.support.annotation.AnnotationClassFilter;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;

/**
 * A post processor that puts an advice before the annotated methods of beans, at the place that {@link AdvicePlaces} says or
 * inside of all others. It comes after those of Spring's {@code @Retryable} and {@code @Async}, so that theirs lie around it.
 */
abstract class AnnotationPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    private static final long serialVersionUID = 1;

    private final Class<? extends Annotation> annotation;
    private final boolean around;
    private transient @Nullable ConfigurableBeanFactory beans;

    /** Makes one whose advice lies around transactions, or inside of all that a bean has already. */
    AnnotationPostProcessor(Class<? extends Annotation> annotation, boolean around) {
        this.annotation = annotation;
        this.around = around;
        setBeforeExistingAdvisors(around);
        setOrder(Ordered.LOWEST_PRECEDENCE - 2);
    }

    /** Returns a pointcut of the {@link AnnotatedMethods}. */
    static ComposablePointcut annotated(Class<? extends Annotation> annotation) {
        return new ComposablePointcut(new AnnotationClassFilter(annotation, true), new OfClass())
                .union(new AnnotationMatchingPointcut(null, annotation, true))
                .union(new OfInterface(annotation));
    }

    private static final class OfClass extends StaticMethodMatcher {
        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return AnnotatedMethods.isOfClass(method);
        }
    }

    private static final class OfInterface extends StaticMethodMatcher {
        private final Class<? extends Annotation> annotation;

        OfInterface(Class<? extends Annotation> annotation) {
            this.annotation = annotation;
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return AnnotatedMethods.ofInterface(method, targetClass, annotation).isPresent();
        }
    }

    void advise(ComposablePointcut pointcut, Advice advice) {
        advisor = new DefaultPointcutAdvisor(pointcut, advice);
    }

    ConfigurableBeanFactory beans() {
        return Objects.requireNonNull(beans);
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        beans = (ConfigurableBeanFactory) beanFactory;
    }

    /** Refuses what Spring would call past the advice, before it does. */
    @Override
    public boolean postProcessAfterInstantiation(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (!(bean instanceof AopInfrastructureBean) && annotation != Unguarded.class && isEligible(type)) {
            BeanDefinition definition = definition(beanName);
            AnnotatedMethods.of(type, annotation)
                    .forEach((method, its) -> MethodChecks.checkCallback(method, its, type, definition));
        }
        return true;
    }

    private @Nullable BeanDefinition definition(String beanName) {
        return beans instanceof ConfigurableListableBeanFactory all && all.containsBeanDefinition(beanName)
                ? all.getMergedBeanDefinition(beanName)
                : null;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Object proxy = proxy(bean, beanName);
        if (proxy != bean || bean instanceof Advised) {
            check(type(bean), proxy);
        }
        return proxy;
    }

    /** Returns the class that says what is annotated: what a factory makes may be known by interfaces that its target has not. */
    private Class<?> type(Object bean) {
        Class<?> target = AopUtils.getTargetClass(bean);
        return isEligible(target) ? target : bean.getClass();
    }

    /** Returns the same for the bean that is called: its methods are those that were {@link #found}. */
    Class<?> type(MethodInvocation call) {
        Object bean = call.getThis();
        return bean == null ? call.getMethod().getDeclaringClass() : type(bean);
    }

    private Object proxy(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean) {
            return bean; // such as the proxy of a bean in a scope: the advice is before the target that it finds
        }
        Class<?> type = AopUtils.getTargetClass(bean);
        if (around && bean instanceof Advised advised && !advised.isFrozen() && isEligible(type)) {
            new AdvicePlaces(advised, type, beans()).put((PointcutAdvisor) Objects.requireNonNull(advisor), annotation);
            return bean;
        }
        try {
            return super.postProcessAfterInitialization(bean, beanName);
        } catch (AopConfigException e) {
            throw new IllegalStateException(
                    "@" + annotation.getSimpleName() + " at "
                            + AopUtils.getTargetClass(bean).getName()
                            + " cannot be: no proxy can stand before the bean, mostly as its class or its constructor is"
                            + " final or private: drop that, or give it an interface ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    private void check(Class<?> type, Object proxy) {
        if (isEligible(type)) {
            AnnotatedMethods.of(type, annotation).forEach((method, its) -> {
                if (MethodChecks.check(method, its, type, proxy)) {
                    found(method, type);
                }
            });
        }
    }

    /** Called for each method that the annotation is for, before anybody can call it. */
    void found(Method method, Class<?> type) {}
}
