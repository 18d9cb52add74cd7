package io.belay.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.Belay;
import io.belay.servers.Snippets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.store.MessageGroupStore;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.messaging.MessageChannel;

/** What the page on Spring Integration shows compiles as it stands there, and starts. */
class DocsTest {
    /** The page's first application, but for the place of its locks. */
    @Configuration
    @EnableIntegration
    static class Application {
        @Bean(destroyMethod = "close")
        Belay belay() {
            return Belay.connect("memory:docs");
        }

        @Bean
        BelayLockRegistry locks(Belay belay) {
            return BelayLockRegistry.of(belay.namespace("orders"));
        }

        @Bean
        IntegrationFlow ordersFlow(BelayLockRegistry locks, MessageGroupStore store) {
            return IntegrationFlow.from("positions")
                    .aggregate(orders -> orders.lockRegistry(locks).messageStore(store))
                    .channel("orders")
                    .get();
        }
    }

    @Test
    void theFirstApplicationStarts() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "spring-integration.md"));
        String source = Files.readString(Path.of("src/test/java/io/belay/spring/integration/DocsTest.java"));
        String shown = page.substring(page.indexOf("@Bean(destroyMethod"));
        assertThat(source.replaceAll("\\s", ""))
                .as("what starts below is what the page shows")
                .contains(shown.substring(0, shown.indexOf("```"))
                        .replace("redis://localhost", "memory:docs")
                        .replaceAll("\\s", ""));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Application.class);
            context.registerBean(MessageGroupStore.class, () -> new SimpleMessageStore());
            context.refresh();
            assertThat(context.getBean("orders")).isInstanceOf(MessageChannel.class);
        }
    }

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
