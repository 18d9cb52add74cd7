package io.belay.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Snippets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page on Spring shows compiles as it stands there. */
class DocsTest {
    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = Snippets.of("spring.md");
        assertThat(snippets.count()).isGreaterThan(4);
        List<String> imports = List.of(
                "io.belay.*",
                "io.belay.jdbc.*",
                "io.belay.spring.*",
                "com.tngtech.archunit.junit.ArchTest",
                "com.tngtech.archunit.lang.ArchRule",
                "com.tngtech.archunit.library.ProxyRules",
                "java.sql.Connection",
                "java.sql.SQLException",
                "java.time.Duration",
                "javax.sql.DataSource",
                "org.springframework.boot.health.contributor.*",
                "org.springframework.context.SmartLifecycle",
                "org.springframework.context.annotation.Bean",
                "org.springframework.core.env.Environment",
                "org.springframework.jdbc.datasource.DataSourceUtils",
                "org.springframework.scheduling.annotation.Scheduled",
                "org.springframework.stereotype.Service",
                "org.springframework.transaction.annotation.Transactional",
                "org.springframework.transaction.support.TransactionTemplate");
        String fields = "interface Stock { int read(String sku); void write(String sku, int left); } interface Reports"
                + " { void write(); void write(long token); } static Stock stock; Reports reports; Belay belay;"
                + " TransactionTemplate transactions; DataSource dataSource; SqlFence fence;";
        assertThat(snippets.complaints(DocsTest.class, imports, fields)).isEmpty();
    }
}
