package io.belay.spring;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.AnnotationMetadata;

/** The beans behind {@link EnableLocked}. None of them needs the client before the first call, or the start of elections. */
@Configuration(proxyBeanMethods = false)
@Import(LockedConfiguration.OfEarlyBeans.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LockedConfiguration {
    /** Serves applications whose configuration was read when they were built (AOT): no registrar is asked when they start. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BeanDefinitionRegistryPostProcessor belayEarlyBeans() {
        return EarlyBeans::refuseIn;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitGuardPostProcessor belayCommitGuardPostProcessor() {
        return new CommitGuardPostProcessor();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @Conditional(OnTransactions.class)
    static BeanPostProcessor belayTransactionPostProcessor() {
        return new TransactionPostProcessor();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static UnguardedPostProcessor belayUnguardedPostProcessor() {
        return new UnguardedPostProcessor();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedPostProcessor belayLockedPostProcessor() {
        return new LockedPostProcessor();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderPostProcessor belayLeaderPostProcessor(Leaderships leaderships) {
        return new LeaderPostProcessor(leaderships);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Leaderships belayLeaderships() {
        return new Leaderships();
    }

    /** Asked while Spring reads the configuration, before it makes any post-processor of that and what it needs. */
    static final class OfEarlyBeans implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            EarlyBeans.refuseIn(registry);
        }
    }

    /** True where Spring's transactions are on the class path. */
    static final class OnTransactions implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return Transactions.arePresent();
        }
    }
}
