package io.belay.spring;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** The beans behind {@link EnableLocked}. None of them needs the client before the first call, or the start of elections. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LockedConfiguration {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitGuardPostProcessor belayCommitGuardPostProcessor() {
        return new CommitGuardPostProcessor();
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
}
