package io.belay.spring.boot;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application with an actuator on a port of its own, and no store but the one that its arguments name. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class WebApplication {
    static ConfigurableApplicationContext run(List<String> arguments, Class<?>... more) {
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                        + "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
                        + "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
                "--logging.level.root=warn",
                "--logging.level.io.belay=info")); // both stay so for the tests behind it, which may look for such a
        // line
        all.addAll(arguments);
        SpringApplication application = new SpringApplication(WebApplication.class);
        application.addPrimarySources(List.of(more));
        application.setWebApplicationType(WebApplicationType.SERVLET);
        return application.run(all.toArray(String[]::new));
    }
}
