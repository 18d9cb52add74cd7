package io.belay.spring.boot;

import io.belay.Belay;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/** The health of the store. It is in no readiness group: a store that is away must not take all instances out. */
@AutoConfiguration(after = BelayAutoConfiguration.class)
@ConditionalOnClass({ConditionalOnEnabledHealthIndicator.class, HealthContributor.class})
@ConditionalOnBean(Belay.class)
@ConditionalOnEnabledHealthIndicator("belay")
public final class BelayHealthAutoConfiguration
        extends CompositeHealthContributorConfiguration<BelayHealthIndicator, Belay> {
    BelayHealthAutoConfiguration() {
        super(BelayHealthIndicator::new);
    }

    @Bean
    @ConditionalOnMissingBean(name = {"belayHealthIndicator", "belayHealthContributor"})
    HealthContributor belayHealthContributor(ConfigurableListableBeanFactory beans) {
        return createContributor(beans, Belay.class);
    }
}
