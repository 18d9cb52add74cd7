package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.micrometer.BelayMetrics;
import io.belay.micrometer.ObservedLocks;
import io.belay.spring.LockDecorator;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.observation.ObservationRegistry;
import java.util.Set;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The meters of the client, and observations of waits and holds. */
@AutoConfiguration(
        after = BelayAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass({BelayMetrics.class, MeterBinder.class})
@ConditionalOnSingleCandidate(Belay.class)
public final class BelayMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    BelayMetrics belayMetrics(Belay belay) {
        return BelayMetrics.of(belay);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(ObservationRegistry.class)
    ObservedLocks belayObservedLocks(ObservationRegistry registry) {
        return ObservedLocks.of(registry);
    }

    /** Has waits and holds measured once: by what the client counts, or by observations. */
    @Bean
    MeterFilter belayWaitsMeasuredOnce(BelayProperties properties) {
        Set<String> left = properties.metrics().waits() == BelayProperties.Waits.CLIENT
                ? Set.of("belay.acquire", "belay.acquire.active", "belay.hold", "belay.hold.active")
                : Set.of("belay.lock.acquire", "belay.lock.hold");
        return MeterFilter.deny(meter -> left.contains(meter.getName()));
    }

    /** Observes the waits and holds of methods with {@code @Locked}. */
    @Bean
    @ConditionalOnBean(ObservedLocks.class)
    LockDecorator belayLockedObservations(ObservedLocks observed) {
        return observed::lock;
    }
}
