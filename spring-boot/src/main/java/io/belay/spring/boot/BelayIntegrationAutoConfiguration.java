package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.spring.integration.BelayLockRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/** The locks of Spring Integration, where belay-spring-integration is on the class path and nobody else provides them. */
@AutoConfiguration(after = BelayAutoConfiguration.class)
@ConditionalOnClass({BelayLockRegistry.class, LockRegistry.class})
@ConditionalOnSingleCandidate(Belay.class)
public final class BelayIntegrationAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    BelayLockRegistry belayLockRegistry(Belay belay) {
        return BelayLockRegistry.of(belay);
    }
}
