package io.belay.spring.boot;

import io.belay.jdbc.Fence;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
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
        OwnStore belayRedis(DataRedisConnectionDetails details, ConfigurableBeanFactory beans) {
            return new OwnStore(
                    BelayProperties.Store.REDIS,
                    "the application's Redis (spring.data.redis)",
                    "belay-redis",
                    isPresent("io.belay.redis.Redis", beans),
                    () -> RedisStores.of(details));
        }
    }

    /** The application's database. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcConnectionDetails.class)
    @ConditionalOnBean(JdbcConnectionDetails.class)
    static class OfJdbc {
        @Bean
        OwnStore belayDatabase(
                JdbcConnectionDetails details, BelayProperties properties, ConfigurableBeanFactory beans) {
            return new OwnStore(
                    BelayProperties.Store.JDBC,
                    "the application's database (spring.datasource)",
                    "belay-jdbc",
                    isPresent("io.belay.jdbc.Jdbc", beans),
                    () -> Databases.of(details, properties.jdbc()));
        }
    }

    /** The fence in the application's database, which is made with the tables of its locks. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({JdbcConnectionDetails.class, Fence.class})
    @ConditionalOnBean(JdbcConnectionDetails.class)
    @ConditionalOnProperty(name = "belay.jdbc.fence", havingValue = "true", matchIfMissing = true)
    @Conditional(LocksInDatabase.class)
    static class OfFence {
        @Bean
        @ConditionalOnMissingBean
        Fence belayFence() {
            return Fence.standard();
        }
    }

    /** The application's MongoDB. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MongoConnectionDetails.class)
    @ConditionalOnBean(MongoConnectionDetails.class)
    static class OfMongo {
        @Bean
        OwnStore belayMongo(MongoConnectionDetails details, ConfigurableBeanFactory beans) {
            return new OwnStore(
                    BelayProperties.Store.MONGODB,
                    "the application's MongoDB (spring.mongodb)",
                    "belay-mongodb",
                    isPresent("io.belay.mongodb.Mongo", beans),
                    () -> MongoStores.of(details));
        }
    }
}
