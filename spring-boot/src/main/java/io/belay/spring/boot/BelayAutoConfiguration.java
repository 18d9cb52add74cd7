package io.belay.spring.boot;

import io.belay.Belay;
import io.belay.BelayException;
import io.belay.BelayOptions;
import io.belay.LockOptions;
import io.belay.spring.EnableLocked;
import io.belay.spring.LockedDefaults;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** The client, locks by annotation, and the end of both at the shutdown. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
            "org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration"
        })
@EnableConfigurationProperties(BelayProperties.class)
@Import({OwnStoreConfiguration.OfRedis.class, OwnStoreConfiguration.OfJdbc.class, OwnStoreConfiguration.OfMongo.class})
@EnableLocked
public final class BelayAutoConfiguration {
    /** Spring Boot's own time for a phase of the shutdown. */
    private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ConfigurationPropertiesBindHandlerAdvisor belayLockNameAdvisor() {
        return LockNameHandler::new;
    }

    @Bean
    @ConditionalOnMissingBean({Belay.class, BelayConnectionDetails.class})
    BelayConnectionDetails belayConnectionDetails(
            BelayProperties properties, Environment environment, ObjectProvider<OwnStore> own) {
        return StoreUrl.of(environment)
                .map(ChosenStore::of)
                .orElseGet(
                        () -> ChosenStore.of(new OwnStores(own.orderedStream().toList()).chosen(properties.store())));
    }

    @Bean
    @ConditionalOnMissingBean(Belay.class)
    ConnectedClient belayClient(
            BelayConnectionDetails details,
            BelayProperties properties,
            @Value("${spring.application.name:application}") String application,
            ObjectProvider<BelayOptionsCustomizer> customizers,
            ConfigurableListableBeanFactory beans) {
        String name = properties.clientName() == null
                ? application + "-" + ProcessHandle.current().pid()
                : properties.clientName();
        BelayOptions options = SetupException.ofProperties(
                "A property of belay.*",
                () -> BelayOptions.defaults()
                        .withClientName(name)
                        .withConnectMode(properties.connect())
                        .withRequestTimeout(properties.requestTimeout())
                        .withDeadlockCheck(properties.deadlockCheck())
                        .withLockDefaults(options(properties.lock())));
        for (BelayOptionsCustomizer customizer : customizers.orderedStream().toList()) {
            options = customizer.customize(options);
        }
        try {
            ConnectedClient client = new ConnectedClient(details.connect(options));
            endBeforeTheClient(beans);
            return client;
        } catch (BelayException e) {
            throw SetupException.of(e);
        }
    }

    /**
     * Has those that are stopped before the client, and executors, be destroyed before it, too: some finish only then what they were
     * given, as an executor with {@code await-termination} does, or Quartz. Those that are made later, or just now as they need the
     * client, are anyway. What the client is made of has to outlive it.
     */
    private static void endBeforeTheClient(ConfigurableListableBeanFactory beans) {
        Set<String> needed = neededByTheClient(beans);
        List<String> latestFirst = new ArrayList<>(List.of(beans.getSingletonNames()));
        Collections.reverse(latestFirst);
        for (String name : latestFirst) {
            if (!needed.contains(name)
                    && !beans.isCurrentlyInCreation(name)
                    && ClientLifecycle.isBefore(beans.getSingleton(name))) {
                beans.registerDependentBean("belayClient", name);
            }
        }
    }

    /** Returns the names of what the client is made of; what it asks a provider for is named here, as Spring does not note that. */
    private static Set<String> neededByTheClient(ConfigurableListableBeanFactory beans) {
        Deque<String> open = new ArrayDeque<>(List.of("belayClient"));
        for (Class<?> provided : List.of(BelayOptionsCustomizer.class, DataSource.class)) {
            Collections.addAll(open, beans.getBeanNamesForType(provided, true, false));
        }
        Set<String> needed = new HashSet<>();
        while (!open.isEmpty()) {
            String name = open.pop();
            if (needed.add(name)) {
                Collections.addAll(open, beans.getDependenciesForBean(name));
            }
        }
        return needed;
    }

    @Bean(destroyMethod = "") // the client is closed, and not this view of it
    @ConditionalOnBean(ConnectedClient.class) // also a parent's, by the namespace that is set here
    @ConditionalOnMissingBean(value = Belay.class, search = SearchStrategy.CURRENT)
    Belay belay(ConnectedClient client, BelayProperties properties) {
        return SetupException.ofProperties("The property belay.namespace", () -> client.view(properties.namespace()));
    }

    @Bean
    @ConditionalOnBean(Belay.class)
    @Conditional(SeveralClients.NoneIsPrimary.class)
    static SeveralClients belaySeveralClients(ListableBeanFactory beans) {
        return new SeveralClients(beans);
    }

    static LockOptions options(BelayProperties.Lock lock) {
        LockOptions options = LockOptions.defaults().withLease(lock.lease());
        if (lock.slice() != null) {
            options = options.withSlice(lock.slice());
        }
        return lock.sticky() == null ? options : options.withSticky(lock.sticky());
    }

    @Bean
    @ConditionalOnMissingBean
    LockedDefaults belayLockedDefaults(BelayProperties properties) {
        return SetupException.ofProperties(
                "The property belay.locked.longest-wait",
                () -> new LockedDefaults(properties.locked().longestWait(), null));
    }

    @Bean
    @ConditionalOnBean(value = ConnectedClient.class, search = SearchStrategy.CURRENT) // a parent has its own
    ClientLifecycle belayClientLifecycle(
            ConnectedClient client, Environment environment, ConfigurableApplicationContext context) {
        Duration longest = Binder.get(environment)
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(DEFAULT_PHASE_TIMEOUT);
        return new ClientLifecycle(client, longest, context);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnClass(name = "org.springframework.integration.gateway.MessagingGatewaySupport")
    @ConditionalOnBean(value = ConnectedClient.class, search = SearchStrategy.CURRENT)
    static BeanPostProcessor belayGatewayPhase() {
        return new GatewayPhase();
    }
}
