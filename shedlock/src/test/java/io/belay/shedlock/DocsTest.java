package io.belay.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Snippets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page on ShedLock shows compiles as it stands there. */
class DocsTest {
    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = Snippets.of("migrating-from-shedlock.md");
        assertThat(snippets.count()).isGreaterThan(1);
        List<String> imports = List.of(
                "io.belay.*", "io.belay.shedlock.*", "java.time.Duration", "net.javacrumbs.shedlock.core.LockProvider");
        assertThat(snippets.complaints(
                        DocsTest.class,
                        imports,
                        "Belay belay; @interface Bean { String destroyMethod() default \"\"; }"))
                .isEmpty();
        assertThat(snippets.complaints(DocsTest.class, List.of(), "")).isNotEmpty();
    }
}
