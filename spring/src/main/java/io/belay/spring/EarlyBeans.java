package io.belay.spring;

import java.lang.annotation.Annotation;
import java.util.stream.Stream;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.util.ClassUtils;

/**
 * Refuses a bean with {@link Locked} or {@link LeaderOnly} methods that Spring makes before it has registered the post-processors for
 * these: everybody would call it without what they put around it.
 */
record EarlyBeans(AbstractBeanFactory beans) implements BeanPostProcessor {
    /** Refuses from now on what is made in the factory behind a registry. */
    static void refuseIn(BeanDefinitionRegistry registry) {
        if (registry instanceof AbstractBeanFactory beans) {
            beans.addBeanPostProcessor(new EarlyBeans(beans));
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof AopInfrastructureBean) // such as the proxy of a bean in a scope, which is made later
                && beans.getBeanPostProcessors().stream().noneMatch(AnnotationPostProcessor.class::isInstance)) {
            refuse(bean, beanName, Locked.class);
            refuse(bean, beanName, LeaderOnly.class);
        }
        return bean;
    }

    private static void refuse(Object bean, String beanName, Class<? extends Annotation> annotation) {
        Stream.of(AopUtils.getTargetClass(bean), bean.getClass())
                .flatMap(type -> AnnotatedMethods.of(type, annotation).keySet().stream())
                .findFirst()
                .ifPresent(method -> {
                    throw new IllegalStateException(
                            MethodChecks.title(annotation) + " at "
                                    + ClassUtils.getQualifiedMethodName(method) + " has no effect: its bean '"
                                    + beanName
                                    + "' is made before Belay's post-processors are there, for another post-processor, which"
                                    + " needs it: make the @Bean method of that one static, or have the bean injected with @Lazy");
                });
    }
}
