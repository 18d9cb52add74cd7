package io.belay.spring.boot;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The beans by which an application connects to its store in place of Spring Boot, which has connection details all the same: those of
 * properties, which lead to a server on this machine where nobody has set them.
 */
final class OwnConnections {
    private static final String REDIS = "org.springframework.data.redis.connection.";

    private OwnConnections() {}

    /** Refuses to go by details of properties that lead nowhere, where the application has a connection of its own. */
    static void refuseToRedis(ConfigurableListableBeanFactory beans, Object details) {
        refuse(
                beans,
                details,
                "Redis",
                "spring.data.redis",
                List.of("url", "host", "sentinel.master", "cluster.nodes"),
                List.of(
                        REDIS + "RedisStandaloneConfiguration",
                        REDIS + "RedisSentinelConfiguration",
                        REDIS + "RedisClusterConfiguration",
                        REDIS + "RedisStaticMasterReplicaConfiguration",
                        REDIS + "RedisConnectionFactory"));
    }

    static void refuseToMongo(ConfigurableListableBeanFactory beans, Object details) {
        refuse(
                beans,
                details,
                "MongoDB",
                "spring.mongodb",
                List.of("uri", "host"),
                List.of(
                        "com.mongodb.MongoClientSettings",
                        "com.mongodb.client.MongoClient",
                        "com.mongodb.reactivestreams.client.MongoClient"));
    }

    private static void refuse(
            ConfigurableListableBeanFactory beans,
            Object details,
            String store,
            String properties,
            List<String> places,
            List<String> types) {
        Binder set = Binder.get(beans.getBean(Environment.class));
        if (!details.getClass().getSimpleName().startsWith("Properties") // but those of a container, for instance
                || places.stream()
                        .anyMatch(place -> set.bind(properties + "." + place, Bindable.listOf(String.class))
                                .isBound())) {
            return; // the application's beans are made of the same
        }
        types.stream().flatMap(type -> own(beans, type)).findFirst().ifPresent(name -> {
            throw new SetupException(
                    "The application connects to " + store + " by a bean of its own ('" + name + "'), and " + properties
                            + " does not say where it is.",
                    "Set belay.url, or " + properties + "." + places.get(0) + ".");
        });
    }

    /** Returns the names of beans of a type, as long as Spring Boot has none of it. */
    private static Stream<String> own(ConfigurableListableBeanFactory beans, String type) {
        ClassLoader loader = beans.getBeanClassLoader();
        if (!ClassUtils.isPresent(type, loader)) {
            return Stream.empty();
        }
        List<String> names = List.of(beans.getBeanNamesForType(ClassUtils.resolveClassName(type, loader), true, false));
        return names.stream().anyMatch(name -> isBoots(beans, name)) ? Stream.empty() : names.stream();
    }

    private static boolean isBoots(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBeanDefinition(name)
                && String.valueOf(beans.getBeanDefinition(name).getFactoryBeanName())
                        .startsWith("org.springframework.boot.");
    }
}
