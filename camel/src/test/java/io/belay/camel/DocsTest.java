package io.belay.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Snippets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page on Camel shows compiles as it stands there. */
class DocsTest {
    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = Snippets.of("camel.md");
        assertThat(snippets.count()).isPositive();
        List<String> imports = List.of("io.belay.*", "io.belay.camel.*", "org.apache.camel.CamelContext");
        assertThat(snippets.complaints(DocsTest.class, imports, "CamelContext context;"))
                .isEmpty();
    }
}
