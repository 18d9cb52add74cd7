package io.belay.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.belay.servers.Snippets;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the page on SQL shows compiles as it stands there. */
class DocsTest {
    @Test
    void theSnippetsCompile() throws Exception {
        Snippets snippets = Snippets.of("sql.md");
        assertThat(snippets.count()).isPositive();
        List<String> imports = List.of("io.belay.*", "io.belay.jdbc.*", "java.sql.*", "javax.sql.DataSource");
        String fields = "abstract int read(Connection from, String item) throws SQLException; "
                + "abstract void write(Connection to, String item, int left) throws SQLException;";
        assertThat(snippets.complaints(DocsTest.class, imports, fields)).isEmpty();
        assertThat(snippets.complaints(DocsTest.class, imports, "")).isNotEmpty();
    }

    @Test
    void eachWayToAFenceIsNamed() throws Exception {
        String page = Files.readString(Path.of("../docs/sql.md"));
        List<String> ways = Stream.of(SqlFence.class.getMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers()))
                .map(method -> "SqlFence." + method.getName() + "(")
                .toList();
        assertThat(ways).isNotEmpty().allSatisfy(way -> assertThat(page).contains(way));
    }
}
