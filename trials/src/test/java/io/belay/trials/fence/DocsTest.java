package io.belay.trials.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.fence.Fence;
import io.belay.file.fence.FileFence;
import io.belay.jdbc.SqlFence;
import io.belay.mongodb.MongoFence;
import io.belay.redis.RedisFence;
import io.belay.servers.Snippets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page on fences shows compiles as it stands there, and what it names is there. */
class DocsTest {
    /** A row of the table of guards that has a class of that name. */
    private static final Pattern GUARD = Pattern.compile("(?m)^\\|[^|]*\\| `(\\w+Fence)`");

    private static final Pattern LINK = Pattern.compile("\\]\\((?!http)([^)#]+)");

    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = Snippets.of("fences.md");
        assertThat(snippets.count()).isGreaterThan(7);
        List<String> imports = List.of(
                "com.mongodb.client.MongoCollection",
                "com.mongodb.client.model.Updates",
                "io.belay.*",
                "io.belay.fence.*",
                "io.belay.file.fence.*",
                "io.belay.http.*",
                "io.belay.jdbc.SqlFence",
                "io.belay.mongodb.MongoFence",
                "io.belay.redis.RedisFence",
                "io.belay.spring.FencingTokenInterceptor",
                "io.lettuce.core.ScriptOutputType",
                "io.lettuce.core.api.sync.RedisCommands",
                "jakarta.servlet.http.HttpServletRequest",
                "java.io.IOException",
                "java.net.http.*",
                "java.nio.file.*",
                "java.sql.Connection",
                "java.sql.SQLException",
                "java.util.*",
                "org.bson.Document",
                "org.springframework.web.client.RestClient",
                "static java.nio.charset.StandardCharsets.UTF_8");
        String fields =
                "Connection connection; Lease lease; RedisCommands<String, String> redis; RedisFence.Writer stock;"
                        + " MongoCollection<Document> collection; Path file; HttpClient client; HttpRequest request;"
                        + " String order; abstract int read(Connection connection, String sku); abstract void"
                        + " write(Connection connection, String sku, int left); record Version(long token, long value,"
                        + " String tag) {} abstract Version get() throws IOException, InterruptedException; abstract"
                        + " Optional<Version> put(String tag, long token, long value) throws IOException,"
                        + " InterruptedException;";
        assertThat(snippets.complaints(DocsTest.class, imports, fields)).isEmpty();
    }

    @Test
    void theGuardsAreFencesOrReturnOne() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "fences.md"));
        List<Class<?>> guards = List.of(RedisFence.class, MongoFence.class, FileFence.class, SqlFence.class);
        assertThat(GUARD.matcher(page).results().map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        guards.stream().map(Class::getSimpleName).toList());
        for (Class<?> guard : guards) {
            assertThat(Fence.class.isAssignableFrom(guard)).as(guard.getName()).isEqualTo(guard != SqlFence.class);
        }
        assertThat(SqlFence.class.getMethod("on", Connection.class).getReturnType())
                .isEqualTo(Fence.class);
        assertThat(page).contains("but for `SqlFence`, whose `on(connection)` returns one");
    }

    @Test
    void theFilesThatAreNamedAreThere() throws Exception {
        Path docs = Path.of("..", "docs");
        List<String> links = LINK.matcher(Files.readString(docs.resolve("fences.md")))
                .results()
                .map(MatchResult::group)
                .map(link -> link.substring(2))
                .toList();
        assertThat(links).contains("fences.svg", "sql.md");
        assertThat(links).allSatisfy(link -> assertThat(docs.resolve(link)).exists());
    }
}
