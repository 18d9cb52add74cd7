package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.dashboard.ClientEvents;
import io.belay.dashboard.EmbeddedDashboard;
import io.belay.support.Log;
import io.belay.support.LogName;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** The endpoint {@code belay}, a live page of all locks, where {@code belay-dashboard} is. */
@AutoConfiguration(after = BelayAutoConfiguration.class)
@ConditionalOnClass({ConditionalOnAvailableEndpoint.class, EmbeddedDashboard.class})
@ConditionalOnAvailableEndpoint(DashboardEndpoint.class)
public final class BelayDashboardAutoConfiguration {
    /** Who has ended which hold from the page. */
    private static final Log AUDIT = Log.of(LogName.LEASE);

    @Bean
    @ConditionalOnMissingBean
    ClientEvents belayClientEvents() {
        return ClientEvents.create();
    }

    /** The last one: what others set stays, and is told, too. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    BelayOptionsCustomizer belayClientEventsCustomizer(ClientEvents events) {
        return events::listenTo;
    }

    /** The page of the one client. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSingleCandidate(Belay.class)
    static class OfOneClient {
        @Bean
        @ConditionalOnMissingBean
        EmbeddedDashboard belayDashboard(
                Belay belay,
                ObjectProvider<ConnectedClient> connected,
                ObjectProvider<BelayConnectionDetails> stores,
                ClientEvents events,
                Environment environment,
                EndpointAccessResolver access) {
            String path = environment.getProperty("management.endpoints.web.path-mapping.belay", "belay");
            boolean mayEnd = access.accessFor(EndpointId.of("belay"), Access.READ_ONLY) == Access.UNRESTRICTED;
            Optional<Consumer<String>> audit = mayEnd ? Optional.of(line -> AUDIT.info("{}", line)) : Optional.empty();
            String last = path.substring(path.lastIndexOf('/') + 1);
            Belay client = ConnectedClient.behind(belay, connected);
            // What belay.url says may be another store than the one that was chosen.
            String url = stores.getIfUnique() instanceof ChosenStore chosen ? chosen.url() : null;
            return EmbeddedDashboard.of(client, events, Optional.ofNullable(url), last + "/", audit);
        }

        @Bean
        @ConditionalOnMissingBean
        DashboardEndpoint belayDashboardEndpoint(EmbeddedDashboard dashboard) {
            return new DashboardEndpoint(dashboard);
        }
    }
}
