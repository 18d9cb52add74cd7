package io.belay.spring.boot;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The beans by which an application connects to its store in place of Spring Boot, which has connection details all the same: those of
 * properties that nobody may have set, and that lead to a server on this machine.
 */
final class OwnConnections {
    private static final String REDIS = "org.springframework.data.redis.connection.";

    private OwnConnections() {}

    static void refuseToRedis(ConfigurableListableBeanFactory beans) {
        refuse(
                beans,
                "Redis",
                "spring.data.redis",
                REDIS + "RedisStandaloneConfiguration",
                REDIS + "RedisSentinelConfiguration",
                REDIS + "RedisClusterConfiguration",
                REDIS + "RedisStaticMasterReplicaConfiguration",
                REDIS + "RedisConnectionFactory");
    }

    static void refuseToMongo(ConfigurableListableBeanFactory beans) {
        refuse(beans, "MongoDB", "spring.mongodb", "com.mongodb.MongoClientSettings", "com.mongodb.client.MongoClient");
    }

    private static void refuse(
            ConfigurableListableBeanFactory beans, String store, String properties, String... types) {
        Arrays.stream(types).flatMap(type -> own(beans, type)).findFirst().ifPresent(name -> {
            throw new SetupException(
                    "The application connects to " + store + " by a bean of its own ('" + name
                            + "'), and Belay would by " + properties + ".",
                    "Set belay.url.");
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
