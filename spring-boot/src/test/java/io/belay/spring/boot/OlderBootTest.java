package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Applications with a Spring Boot that the starter is not for. */
class OlderBootTest {
    @Test
    void theStartSaysWhichVersionIsNeeded() {
        Throwable refusal = catchThrowable(() -> SpringBootVersionCheck.check("3.5.6"));
        assertThat(refusal)
                .isInstanceOf(SetupException.class)
                .hasMessage("belay-spring-boot-starter needs Spring Boot 4, and this application has 3.5.6.");
        assertThat(new SetupFailureAnalyzer().analyze(refusal).getAction()).startsWith("Use Spring Boot 4");
    }

    @Test
    void thisVersionIsTakenAndIsLookedAt() {
        assertThatCode(() -> SpringBootVersionCheck.check(SpringBootVersion.getVersion()))
                .doesNotThrowAnyException();
        assertThat(SpringFactoriesLoader.loadFactories(ApplicationContextInitializer.class, null))
                .hasAtLeastOneElementOfType(SpringBootVersionCheck.class);
    }
}
