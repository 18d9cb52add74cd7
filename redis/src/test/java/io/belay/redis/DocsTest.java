package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Snippets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the page on Redis shows compiles as it stands there. */
class DocsTest {
    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = Snippets.of("redis.md");
        assertThat(snippets.count()).isPositive();
        List<String> imports = List.of("io.belay.*", "io.belay.redis.*", "java.nio.file.Path");
        String fields =
                "io.lettuce.core.RedisClient redisClient; io.lettuce.core.RedisCredentialsProvider credentials;";
        assertThat(snippets.complaints(DocsTest.class, imports, fields)).isEmpty();
        assertThat(snippets.complaints(DocsTest.class, imports, "")).isNotEmpty();
    }
}
