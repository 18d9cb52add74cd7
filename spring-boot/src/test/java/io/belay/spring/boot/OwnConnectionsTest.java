package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import io.belay.Belay;
import io.belay.Lease;
import io.belay.servers.MongoServer;
import io.belay.servers.RedisSentinels;
import io.belay.servers.RedisServer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The locks of applications with a Redis or MongoDB of their own are where their data is, or nowhere. */
class OwnConnectionsTest {
    private final ApplicationContextRunner bare =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(BelayAutoConfiguration.class));
    private final ApplicationContextRunner redis =
            bare.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));
    private final ApplicationContextRunner mongo =
            bare.withConfiguration(AutoConfigurations.of(MongoAutoConfiguration.class));

    private static void assertRefused(ApplicationContextRunner application, String bean, String properties) {
        application.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new SetupFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription())
                    .contains("by a bean of its own ('" + bean + "'), and " + properties + " does not say");
            assertThat(analysis.getAction()).startsWith("Set belay.url");
        });
        application
                .withPropertyValues("belay.url=memory:own")
                .run(context -> assertThat(context).hasSingleBean(Belay.class));
    }

    @Test
    void aRedisThatIsConnectedToByBeansOfTheApplicationIsToBeNamed() {
        assertRefused(
                redis.withBean(
                        "sessions",
                        RedisStandaloneConfiguration.class,
                        () -> new RedisStandaloneConfiguration("127.0.0.1", 1)),
                "sessions",
                "spring.data.redis");
        assertRefused(
                redis.withBean("connections", RedisConnectionFactory.class, LettuceConnectionFactory::new),
                "connections",
                "spring.data.redis");
    }

    /** By which it makes its beans, as a rule. */
    @Test
    void whereThePropertiesSayWhereRedisIsTheyAreTaken() throws Exception {
        try (RedisServer server = RedisServer.start(RedisServer.Version.V7_0)) {
            redis.withBean("connections", RedisConnectionFactory.class, LettuceConnectionFactory::new)
                    .withPropertyValues("spring.data.redis.port=" + server.port(), "spring.data.redis.host=127.0.0.1")
                    .run(context ->
                            context.getBean(Belay.class).lock("x").acquire().release());
        }
    }

    @Test
    void aMongoDbThatIsConnectedToByBeansOfTheApplicationIsToBeNamed() {
        assertRefused(
                mongo.withBean(
                        "settings",
                        MongoClientSettings.class,
                        () -> MongoClientSettings.builder().build()),
                "settings",
                "spring.mongodb");
    }

    /** Spring Boot heeds the property before the URL. */
    @Test
    void theLocksAreInTheDatabaseOfTheData() throws Exception {
        try (MongoServer server = MongoServer.start();
                Belay shop = Belay.connect(server.url().replaceFirst("(//[^/?]+)/?", "$1/shop"))) {
            mongo.withPropertyValues("spring.mongodb.uri=" + server.url(), "spring.mongodb.database=shop")
                    .run(context -> {
                        try (Lease held = context.getBean(Belay.class).lock("x").acquire()) {
                            assertThat(shop.lock("x").isLocked()).isTrue();
                            assertThat(held.isHeld()).isTrue();
                        }
                    });
        }
    }

    /** As manifests set them where there is none. */
    @Test
    void anEmptyPasswordIsNone() throws Exception {
        try (RedisSentinels sentinels = RedisSentinels.start(RedisServer.Version.V7_0, 0)) {
            redis.withPropertyValues(
                            "spring.data.redis.sentinel.master=" + RedisSentinels.NAME,
                            "spring.data.redis.sentinel.nodes=" + sentinels.addresses(),
                            "spring.data.redis.sentinel.password=",
                            "spring.data.redis.username=",
                            "spring.data.redis.password=")
                    .run(context ->
                            context.getBean(Belay.class).lock("x").acquire().release());
        }
    }

    /** With the brackets in which it stands in a URL or beside a port, and without. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.url=redis://[::1]:1",
                "spring.data.redis.host=::1",
                "spring.data.redis.cluster.nodes=[::1]:1,[::1]:2",
                "spring.data.redis.sentinel.nodes=[::1]:1,[::1]:2"
            })
    void anAddressOfIpV6IsTakenAsTheApplicationNamesIt(String property) {
        ApplicationContextRunner application = property.contains("sentinel")
                ? redis.withPropertyValues(property, "spring.data.redis.sentinel.master=shop")
                : redis.withPropertyValues(property);
        application.run(context -> assertThat(context).hasSingleBean(Belay.class));
    }

    /** Whose connection details are to be there by then. */
    @Test
    void theClientIsMadeAfterAReactiveMongoDb() throws Exception {
        Class<?> reactive =
                Class.forName("org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration");
        List<Class<?>> order =
                Arrays.asList(Configurations.getClasses(AutoConfigurations.of(BelayAutoConfiguration.class, reactive)));
        assertThat(order).containsExactly(reactive, BelayAutoConfiguration.class);
    }
}
