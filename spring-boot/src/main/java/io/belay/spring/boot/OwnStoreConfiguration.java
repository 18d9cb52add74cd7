package io.belay.spring.boot;

import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.mongodb.autoconfigure.MongoProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** The stores that the application has, as Spring Boot's connection details tell of them. */
final class OwnStoreConfiguration {
    private OwnStoreConfiguration() {}

    private static boolean isPresent(String type, ConfigurableBeanFactory beans) {
        return ClassUtils.isPresent(type, beans.getBeanClassLoader());
    }

    /** The application's Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    @ConditionalOnBean(DataRedisConnectionDetails.class)
    static class OfRedis {
        @Bean
        OwnStore belayRedis(
                DataRedisConnectionDetails details,
                ObjectProvider<DataRedisProperties> properties,
                ConfigurableListableBeanFactory beans) {
            return new OwnStore(
                    BelayProperties.Store.REDIS,
                    "the application's Redis (spring.data.redis)",
                    "belay-redis",
                    isPresent("io.belay.redis.Redis", beans),
                    () -> {
                        OwnConnections.refuseToRedis(beans, details);
                        return RedisStores.of(
                                details,
                                Optional.ofNullable(properties.getIfAvailable()).map(DataRedisProperties::getUrl));
                    });
        }
    }

    /** The application's database, whoever has made its data source. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(DataSource.class)
    static class OfJdbc {
        @Bean
        OwnDatabase belayOwnDatabase(ListableBeanFactory beans, BelayProperties properties) {
            return new OwnDatabase(beans, properties.jdbc());
        }

        @Bean
        OwnStore belayDatabase(OwnDatabase database, ConfigurableBeanFactory beans) {
            return new OwnStore(
                    BelayProperties.Store.JDBC,
                    database.place(),
                    "belay-jdbc",
                    isPresent("io.belay.jdbc.Jdbc", beans),
                    database::store);
        }
    }

    /** The application's MongoDB. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MongoConnectionDetails.class)
    @ConditionalOnBean(MongoConnectionDetails.class)
    static class OfMongo {
        @Bean
        OwnStore belayMongo(
                MongoConnectionDetails details,
                ObjectProvider<MongoProperties> properties,
                ConfigurableListableBeanFactory beans) {
            return new OwnStore(
                    BelayProperties.Store.MONGODB,
                    "the application's MongoDB (spring.mongodb)",
                    "belay-mongodb",
                    isPresent("io.belay.mongodb.Mongo", beans),
                    () -> {
                        OwnConnections.refuseToMongo(beans, details);
                        return MongoStores.of(
                                details,
                                Optional.ofNullable(properties.getIfAvailable()).map(MongoProperties::getDatabase));
                    });
        }
    }
}
