package io.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of providers: its table is the list that the doctor and the tests use, row by row, and it explains each rule. */
class ProvidersPageTest {
    private static final Path PAGE = Path.of("../docs/redis-providers.md");

    private static List<List<String>> rows(String heading) throws Exception {
        return Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.startsWith(heading))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ", -1)))
                .toList();
    }

    @Test
    void theTableIsTheList() throws Exception {
        List<List<String>> listed = Provider.ALL.stream()
                .map(provider -> List.of(
                        provider.name(),
                        provider.verdict().name().toLowerCase(Locale.ROOT),
                        String.join(" ", new TreeSet<>(provider.rules())),
                        provider.eviction(),
                        provider.changeable(),
                        provider.tried()))
                .toList();
        List<List<String>> shown = rows("| server or provider").stream()
                .map(row -> List.of(
                        row.get(0),
                        row.get(1),
                        row.get(2).equals("-") ? "" : row.get(2).replace("`", ""),
                        row.get(3).replace("`", ""),
                        row.get(4),
                        row.get(5)))
                .toList();
        assertThat(shown).isEqualTo(listed);
    }

    @Test
    void everyRuleIsExplained() throws Exception {
        assertThat(rows("| rule |").stream()
                        .map(row -> row.get(0).replace("`", ""))
                        .collect(Collectors.toSet()))
                .isEqualTo(Provider.ALL.stream()
                        .flatMap(provider -> provider.rules().stream())
                        .collect(Collectors.toSet()));
    }
}
