package io.belay.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Ends the start of an application with an older Spring Boot by one line, before classes are missed that it does not have. */
final class SpringBootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    private static final int NEEDED = 4;

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        check(SpringBootVersion.getVersion());
    }

    static void check(@Nullable String version) {
        if (version != null && version.matches("[0-3]\\..*")) {
            throw new SetupException(
                    "belay-spring-boot-starter needs Spring Boot " + NEEDED + ", and this application has " + version
                            + ".",
                    "Use Spring Boot " + NEEDED + " or later, or belay-core without the starter.");
        }
    }
}
