package io.belay.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Snippets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page on Spring Integration shows compiles as it stands there. */
class DocsTest {
    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = Snippets.of("spring-integration.md");
        assertThat(snippets.count()).isGreaterThan(1);
        List<String> imports = List.of(
                "io.belay.*",
                "io.belay.spring.integration.*",
                "org.springframework.context.annotation.Bean",
                "org.springframework.context.event.EventListener",
                "org.springframework.integration.dsl.IntegrationFlow",
                "org.springframework.integration.leader.DefaultCandidate",
                "org.springframework.integration.leader.event.*",
                "org.springframework.integration.store.MessageGroupStore");
        String fields = "interface Reports { void start(long token); void stop(); } Reports reports;";
        assertThat(snippets.complaints(DocsTest.class, imports, fields)).isEmpty();
    }
}
