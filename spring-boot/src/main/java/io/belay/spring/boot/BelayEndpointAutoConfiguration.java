package io.belay.spring.boot;

import io.belay.Belay;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The endpoint {@code locks}. */
@AutoConfiguration(after = BelayAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnSingleCandidate(Belay.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
public final class BelayEndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint belayLocksEndpoint(Belay belay, ObjectProvider<ConnectedClient> connected) {
        return new LocksEndpoint(ConnectedClient.behind(belay, connected));
    }
}
