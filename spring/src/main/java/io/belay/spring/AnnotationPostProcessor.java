package io.belay.spring;

import java.lang.annotation.Annotation;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.Ordered;

/**
 * A post processor that puts an advice before the annotated methods of beans. It comes after those of {@code @Retryable} and
 * {@code @Async}, so that theirs lie around it.
 */
abstract class AnnotationPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    private static final long serialVersionUID = 1;

    private final Class<? extends Annotation> annotation;
    private transient @Nullable ConfigurableBeanFactory beans;

    /** Makes one whose advice lies around those that a bean has already, or inside of them. */
    AnnotationPostProcessor(Class<? extends Annotation> annotation, boolean around) {
        this.annotation = annotation;
        setBeforeExistingAdvisors(around);
        setOrder(Ordered.LOWEST_PRECEDENCE - 2);
    }

    /** Returns a pointcut of the methods that are annotated themselves or by their class. */
    static ComposablePointcut annotated(Class<? extends Annotation> annotation) {
        return new ComposablePointcut(new AnnotationMatchingPointcut(annotation, true))
                .union(new AnnotationMatchingPointcut(null, annotation, true));
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

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Object proxy = super.postProcessAfterInitialization(bean, beanName);
        Class<?> type = AopUtils.getTargetClass(bean);
        if (isEligible(type)) {
            MethodChecks.check(type, proxy, annotation);
        }
        return proxy;
    }
}
