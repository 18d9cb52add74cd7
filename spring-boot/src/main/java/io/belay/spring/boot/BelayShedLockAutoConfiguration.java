package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.shedlock.BelayLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The locks of {@code @SchedulerLock}, where belay-shedlock is on the class path and nobody else provides them. */
@AutoConfiguration(after = BelayAutoConfiguration.class)
@ConditionalOnClass({BelayLockProvider.class, LockProvider.class})
@ConditionalOnSingleCandidate(Belay.class)
public final class BelayShedLockAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(LockProvider.class)
    BelayLockProvider belayLockProvider(Belay belay) {
        return BelayLockProvider.of(belay);
    }
}
