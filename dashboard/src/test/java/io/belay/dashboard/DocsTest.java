package io.belay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Snippets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page of the documentation shows compiles as it stands there. */
class DocsTest {
    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = Snippets.of("dashboard.md");
        assertThat(snippets.count()).isPositive();
        assertThat(snippets.complaints(DocsTest.class, List.of("io.belay.*", "io.belay.dashboard.*"), ""))
                .isEmpty();
    }
}
